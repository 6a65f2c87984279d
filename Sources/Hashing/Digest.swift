import CCrypto
import Glibc
public import Notes
public import System

/// A digest that is fed piece by piece, computed by libcrypto.
public final class Digest {
    public enum Algorithm: Sendable {
        case md5
        case sha256
    }

    private let context: OpaquePointer?

    public init(_ algorithm: Algorithm) {
        context = EVP_MD_CTX_new()
        EVP_DigestInit_ex(context, algorithm == .md5 ? EVP_md5() : EVP_sha256(), nil)
    }

    deinit { EVP_MD_CTX_free(context) }

    public func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    public func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// Feeds a whole file, read from its beginning.
    /// - Throws: `SystemError`, EINTR once a signal has come.
    public func update(_ file: borrowing FileDescriptor) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            if Interrupt.isRaised { throw SystemError(code: EINTR, call: "read") }
            let count = try file.read(into: buffer, at: offset)
            if count == 0 { return }
            update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// The digest of all that was fed; nothing may be fed after.
    public func finish() -> [UInt8] {
        var size: UInt32 = 0
        return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            EVP_DigestFinal_ex(context, buffer.baseAddress, &size)
            count = Int(size)
        }
    }
}

extension MD5 {
    /// The digest of a whole file, read from its beginning.
    public init?(of file: borrowing FileDescriptor) throws(SystemError) {
        let digest = Digest(.md5)
        try digest.update(file)
        self.init(bytes: digest.finish())
    }

    /// The digest of bytes in memory.
    public init?(of bytes: [UInt8]) { self.init(of: bytes[...]) }

    /// The digest of a part of bytes in memory, which is not copied.
    public init?(of bytes: ArraySlice<UInt8>) {
        let digest = Digest(.md5)
        bytes.withUnsafeBytes { digest.update($0) }
        self.init(bytes: digest.finish())
    }
}
