public import HTTP

/// The part of the service that knows accounts.
///
/// Every call throws `EDAMError`, or `Interrupted` where a person pressed Ctrl-C before the request had gone as a whole.
public struct UserStore {
    private let service: Service
    private let callee: Callee

    /// - Parameter failed: Told of each call that came to nothing, those of the note store too, before it throws.
    /// - Throws: `EDAMError.addressRefused`.
    public init(
        of service: Service, over transport: any Transport, token: AccessToken,
        failed: @escaping (EDAMError) -> Void = { _ in }
    ) throws(EDAMError) {
        self.service = service
        callee = Callee(at: try service.userStore, over: transport, token: token, failed: failed)
    }

    /// The version of the IDL that this module was written to.
    static let version: (major: Int16, minor: Int16) = (1, 28)

    /// Whether the service still speaks with programs of this version. Where it does not, nothing else is to be called.
    ///
    /// - Parameter clientName: What the service is told of the program: `evergear/1.0; Linux`.
    public func checkVersion(clientName: String) throws -> Bool {
        try callee.callWithoutToken("checkVersion", clientName, Self.version.major, Self.version.minor)
    }

    /// The account that the token belongs to.
    public func getUser() throws -> User { try callee.call("getUser", refusals: [.user, .system]) }

    public func getUserUrls() throws -> UserUrls { try callee.call("getUserUrls", refusals: [.user, .system]) }

    /// The account's note store, over the same transport, at an address that the service named before.
    public func noteStore(at address: WebAddress) -> NoteStore {
        NoteStore(at: address, sharedBy: callee)
    }

    /// The account's note store, over the same transport. Asks the service for its address, and refuses one that is not
    /// the service's own.
    public func noteStore() throws -> NoteStore {
        let text = try getUserUrls().noteStoreUrl ?? ""
        do throws(EDAMError) {
            return noteStore(at: try service.noteStore(text))
        } catch {
            throw error.hiding(callee.token.secret)
        }
    }
}
