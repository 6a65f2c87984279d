/// What captions show, chosen with `--caption`.
public struct Captions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The number of the photo in its draft, so that a report can cite it.
    public static let number = Captions(rawValue: 1)
    public static let time = Captions(rawValue: 2)
    public static let place = Captions(rawValue: 4)
    /// The name of the photo's file.
    public static let name = Captions(rawValue: 8)
    /// Places by two decimals of a degree, about a kilometre; means nothing without `place`.
    public static let coarse = Captions(rawValue: 16)

    public static let standard: Captions = [.time, .place]

    /// Reads `number,time,place,name`, any of them in any order, or `none`.
    ///
    /// - Returns: nil where a word is none of these.
    public init?(_ text: String) {
        var captions: Captions = []
        guard text != "none" else {
            self = captions
            return
        }
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch word.drop(while: { $0 == " " }) {
            case "number": captions.insert(.number)
            case "time": captions.insert(.time)
            case "place": captions.insert(.place)
            case "name": captions.insert(.name)
            default: return nil
            }
        }
        self = captions
    }
}
