import Text

/// Rows whose columns stand below each other on a terminal, with kanji counted as two columns.
struct Table {
    enum Alignment {
        case left, right
    }

    private let headings: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// - Parameter columns: A heading and how its cells are aligned.
    init(_ columns: [(heading: String, alignment: Alignment)]) {
        headings = columns.map(\.heading)
        alignments = columns.map(\.alignment)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// - Parameter cells: One for each column; what is missing is blank.
    mutating func add(_ cells: [String]) {
        let clean = cells.prefix(headings.count).map(\.withoutControls)
        rows.append(clean + Array(repeating: "", count: headings.count - clean.count))
    }

    /// - Parameter width: What is wider is cut, in the widest column first; nil cuts nothing.
    func lines(width: Int?) -> [String] {
        let all = [headings] + rows
        var widths = headings.indices.map { column in all.map { $0[column].columns }.max() ?? 0 }
        if let width {
            var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
            while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 8 {
                widths[widest] -= 1
                excess -= 1
            }
        }
        return all.map { row in
            let cells = row.indices.map { column in
                let text = row[column].cut(toColumns: widths[column])
                let space = String(repeating: " ", count: max(0, widths[column] - text.columns))
                return alignments[column] == .right ? space + text : text + space
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
