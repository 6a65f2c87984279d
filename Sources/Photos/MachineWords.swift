/// Tells what cameras, phones and programs write where a description belongs from what a person wrote.
enum MachineWords {
    /// - Parameter make: The camera's: some codes are words that a person may write where another camera took the photo.
    static func contain(_ text: String, make: String?) -> Bool {
        let words = text.lowercased()
        if fixed.contains(words) || words.hasPrefix("dcim\\") || words.hasSuffix(" digital still camera") {
            return true
        }
        // "My first digital camera" is a caption, "OLYMPUS DIGITAL CAMERA" and "Minolta Digital Camera" are none.
        if words.hasSuffix("digital camera") {
            return text.hasSuffix("DIGITAL CAMERA") || make.map { isFirst(of: words, in: $0.lowercased()) } == true
        }
        if isNumbered(words, "oplus_") || isNumbered(words, "oppo_") || isNumbered(words, "mmexport") { return true }
        let isHuawei = make.map { ["huawei", "honor"].contains($0.lowercased().prefix { $0 != " " }) } == true
        return isHuawei && isHuaweiCode(words)
    }

    private static let fixed: Set<String> = [
        "sony dsc", "samsung", "samsung camera pictures", "my beautiful picture", "exif_jpeg_picture", "hellomoto",
        "default", "screenshot",
    ]

    private static func isFirst(of words: String, in make: String) -> Bool {
        words.split(separator: " ").first.map(make.split(separator: " ").contains) == true
    }

    /// A code with nothing but a number behind it: OPPO, OnePlus and realme write `oplus_8388608`, WeChat `mmexport1714…`.
    private static func isNumbered(_ words: String, _ code: String) -> Bool {
        guard words.hasPrefix(code) else { return false }
        let number = words.utf8.dropFirst(code.utf8.count)
        let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
        return !digits.isEmpty && digits.allSatisfy(DateText.isDigit)
    }

    /// What the camera did to the picture, as Huawei's phones note it: `cof`, `hdr_vivid`, `oznorCO`, `_cuva`.
    private static func isHuaweiCode(_ words: String) -> Bool {
        guard words.utf8.count <= 32,
            words.utf8.allSatisfy({ isLetter($0) || DateText.isDigit($0) || $0 == UInt8(ascii: "_") }),
            let first = words.split(separator: "_").first
        else { return false }
        let code = first.hasPrefix("oz") ? first.dropFirst(2) : first
        return codes.contains { code == $0 } || (first != code && codes.contains { code.hasPrefix($0) })
    }

    private static let codes = [
        "cof", "cuva", "hdr", "hdrpl", "rhdr", "jhdr", "rbt", "ptr", "edf", "mde", "vsl", "nor", "sdr", "dav", "btr",
        "btf", "bty", "fbt", "ptrpl",
    ]

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
