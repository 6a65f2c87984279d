/// Values of attributes by Evernote's rule for them (`EDAM_ATTRIBUTE_REGEX` of its IDL). What a camera writes into a photo
/// is not always such a value, and one that is not has the whole note refused.
public enum AttributeText {
    /// - Returns: The value without controls and line separators, and with at most 4096 characters; nil where nothing is
    ///   left: an empty one is invalid, and has to be left out.
    public static func valid(_ value: String?) -> String? {
        var kept = String.UnicodeScalarView()
        for scalar in value?.unicodeScalars ?? .init() {
            switch scalar.properties.generalCategory {
            case .control where !["\t", "\n", "\r"].contains(scalar) && scalar.value < 0x20: break
            case .control, .lineSeparator, .paragraphSeparator: kept.append(" ")
            // XML has no such characters.
            case .unassigned where scalar.value == 0xfffe || scalar.value == 0xffff: break
            default: kept.append(scalar)
            }
        }
        while kept.first == " " { kept.removeFirst() }
        while kept.count > 4096 || kept.last == " " { kept.removeLast() }
        return kept.isEmpty ? nil : String(kept)
    }
}
