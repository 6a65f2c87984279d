import Notes

/// What an edited file makes of a draft.
struct DraftEdit: Hashable {
    struct Memo: Hashable {
        /// 0 for one that is to be made.
        var id: Int64
        var text: String
    }

    /// Title line and all.
    var text: String
    /// All that stay, in their new order.
    var memos: [Memo]

    /// Memos of a draft that are not among these.
    func dropped(from draft: Draft) -> [Int64] {
        let kept = Set(memos.map(\.id))
        return draft.memos.map(\.id).filter { !kept.contains($0) }
    }

    func isUnchanged(from draft: Draft) -> Bool {
        // Two spellings of é are equal for Swift and are a change here.
        Array(text.utf8) == Array(draft.text.utf8) && memos.map(\.id) == draft.memos.map(\.id)
            && zip(memos, draft.memos).allSatisfy { Array($0.text.utf8) == Array($1.text.utf8) }
    }
}

extension DraftFile {
    /// Reads an edited file.
    /// - Parameter draft: The draft that the file was written of.
    /// - Returns: nil for a file of nothing but comments and blank lines: the edit was given up.
    static func parse(_ bytes: [UInt8], against draft: Draft) throws(Mistake) -> DraftEdit? {
        var known: [Int64: Memo] = [:]
        for memo in draft.memos { known[Int64(memo.number)] = memo }
        var top: [String] = []
        var blocks: [Block] = []
        var linesOfMemos: [Int64: Int] = [:]
        var isAllBlank = true
        for (index, bytes) in split(withoutMark(bytes)).enumerated() {
            let number = index + 1
            guard let line = String(validating: bytes, as: UTF8.self) else {
                throw Mistake(line: number, reason: "this is not UTF-8 text; save the file as UTF-8")
            }
            switch read(line) {
            case .comment: continue
            case .malformed(let reason): throw Mistake(line: number, reason: reason)
            case .header(let id):
                isAllBlank = false
                if id != 0 {
                    guard known[id] != nil else {
                        throw Mistake(
                            line: number,
                            reason:
                                "this draft has no memo \(between(line)); [new] begins one, and a backslash before the "
                                + "[ makes it text")
                    }
                    if let first = linesOfMemos[id] {
                        throw Mistake(
                            line: number, reason: "memo \(id) is here for the second time, after line \(first)")
                    }
                    linesOfMemos[id] = number
                }
                blocks.append(Block(id: id, line: number))
            case .text(let text):
                if !trim([text]).isEmpty { isAllBlank = false }
                if blocks.isEmpty {
                    top.append(text)
                } else {
                    blocks[blocks.count - 1].lines.append(text)
                }
            }
        }
        if isAllBlank { return nil }
        var memos: [DraftEdit.Memo] = []
        for block in blocks {
            let original = known[block.id]
            let text = text(of: block.lines, instead: original?.text ?? "")
            if trim(block.lines).isEmpty, original?.photos.isEmpty ?? true, !(original?.isEmpty ?? false) {
                throw Mistake(
                    line: block.line,
                    reason: block.id == 0
                        ? "a new memo needs words below its [new]"
                        : "memo \(block.id) has no photo and now no words; delete its line to drop it")
            }
            memos.append(DraftEdit.Memo(id: original?.id ?? 0, text: text))
        }
        return DraftEdit(text: text(of: top, instead: draft.text), memos: memos)
    }

    private struct Block {
        let id: Int64
        let line: Int
        var lines: [String] = []
    }

    /// The text that lines give; the original, byte for byte, where nothing was changed in it.
    private static func text(of lines: [String], instead original: String) -> String {
        let trimmed = trim(lines)
        let isSame = trimmed.map { Array($0.utf8) } == canonical(original).map { Array($0.utf8) }
        return isSame ? original : trimmed.joined(separator: "\n")
    }

    /// What stands in the brackets.
    private static func between(_ header: String) -> String { String(header.dropFirst().prefix { $0 != "]" }) }

    /// Some editors put a byte order mark before UTF-8.
    static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    }
}
