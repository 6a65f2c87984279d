public import Notes
public import System

/// A layout ready for use: one that ships, or a stylesheet of the user's own.
public struct LayoutSheet {
    /// `full`; of the user's own, the file's name without `.xsl`.
    public let name: String
    /// Which pictures it needs. A sheet of the user's own gets both small and large ones; the note then holds those
    /// that it refers to.
    public let shipped: Layout?
    /// The stylesheet's text, where it is the user's own; else empty.
    public let ownText: [UInt8]
    private let engine: Engine

    private enum Engine {
        case here(Stylesheet)
        case apart(StylesheetProcess)
    }

    /// No layout of this name. `known` are those there are.
    public struct Unknown: Error, Hashable, Sendable {
        public let name: String
        public let known: [String]

        public init(name: String, known: [String]) {
            self.name = name
            self.known = known
        }
    }

    /// A layout that ships.
    public init(_ layout: Layout, in templates: TemplateFolder) throws {
        let sheets = try templates.stylesheets()
        let file = "\(layout.rawValue).xsl"
        guard let sheet = sheets[file] else {
            throw SystemError(code: 2 /* ENOENT */, call: "open", path: templates.path / "layouts" / file)
        }
        name = layout.rawValue
        shipped = layout
        ownText = []
        engine = .here(try Stylesheet(sheet, name: file, shipped: sheets))
    }

    /// A stylesheet of the user's own.
    ///
    /// - Parameter program: Runs the sheet; itself, unless a test says otherwise.
    public init(file: FilePath, in templates: TemplateFolder, program: FilePath = "/proc/self/exe") throws {
        let sheet = try Files.read(file, limit: 256 << 10)
        name = String(file.name.description.dropLast(file.fileExtension == "xsl" ? 4 : 0))
        shipped = nil
        ownText = sheet
        engine = .apart(
            StylesheetProcess(
                sheet, name: file.description, shipped: try templates.stylesheets(), program: program))
    }

    /// What a user asked for: the name of a layout that ships, the path of a stylesheet (it has a slash in it or ends
    /// in `.xsl`), or the name of one in the user's own folder.
    public init(
        asked text: String, in templates: TemplateFolder, ownFolder: FilePath?, program: FilePath = "/proc/self/exe"
    ) throws {
        switch try Self.find(text, ownFolder: ownFolder) {
        case .shipped(let layout): try self.init(layout, in: templates)
        case .file(let file): try self.init(file: file, in: templates, program: program)
        }
    }

    /// Looks whether there is a layout of this name, without reading it.
    /// - Throws: `Unknown`; `SystemError` where a path leads nowhere.
    public static func check(_ text: String, ownFolder: FilePath?) throws { _ = try find(text, ownFolder: ownFolder) }

    private enum Found {
        case shipped(Layout)
        case file(FilePath)
    }

    private static func find(_ text: String, ownFolder: FilePath?) throws -> Found {
        if let layout = Layout(name: text) { return .shipped(layout) }
        if text.contains("/") || text.hasSuffix(".xsl") {
            _ = try Files.status(FilePath(text))
            return .file(FilePath(text))
        }
        if let file = ownFolder.map({ $0 / "\(text).xsl" }), Files.exists(file) { return .file(file) }
        let own = ownFolder.flatMap { try? Files.names(in: $0) } ?? []
        let names = own.filter { $0.fileExtension == "xsl" }.map { String($0.description.dropLast(4)) }
        throw Unknown(name: text, known: Layout.allCases.map(\.rawValue) + names)
    }

    /// Renders a draft document into a whole ENML document.
    public func render(_ document: DraftDocument) throws(StylesheetError) -> String {
        switch engine {
        case .here(let sheet): try sheet.render(document.xml)
        case .apart(let process): try process.render(document.xml)
        }
    }
}
