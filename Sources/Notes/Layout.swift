/// How a draft looks as a note.
public enum Layout: String, CaseIterable, Sendable {
    /// Cards with a small picture beside the text, then all pictures large.
    case thumbsFull = "thumbs+full"
    /// Cards with the small picture; the originals stay at home.
    case thumbs
    /// Memo by memo: caption, text, the picture large.
    case full
    /// As full, without any CSS.
    case plain

    public static let standard = Layout.full

    /// By name; `thumbs-full`, `thumbnail+full` and `thumbnail` are understood as well.
    public init?(name: String) {
        switch name {
        case "thumbs-full", "thumbnail+full", "thumbnail-full": self = .thumbsFull
        case "thumbnail": self = .thumbs
        default: self.init(rawValue: name)
        }
    }
}
