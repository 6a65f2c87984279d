import Text

/// Rows whose columns stand below each other on a terminal, with kanji counted as two columns.
///
/// Where a terminal is too narrow, texts are cut first, each where it can best be spared; when no more of them can be, an
/// entry goes over several lines. Figures, dates and states are never cut.
struct Table {
    /// What a column has in it.
    enum Column {
        /// Words, whose end may be left out.
        case left
        /// Figures.
        case right
        /// Dates, states: what is of no use in part.
        case whole
        /// Titles, whose middle may be left out: parts differ at the end. Over 200 columns are never shown.
        case title
        /// Where something is: a file's name stands at the end.
        case path

        /// Columns that are left of it at least; nil: all.
        var least: Int? {
            switch self {
            case .left: 16
            case .right, .whole: nil
            case .title: 20
            case .path: 32
            }
        }

        var kept: String.Kept {
            switch self {
            case .left, .right, .whole: .beginning
            case .title: .ends
            case .path: .end
            }
        }
    }

    private let headings: [String]
    private let columns: [Column]
    private var rows: [[String]] = []

    /// What stands before the second and further lines of an entry.
    private static let indent = "  "
    private static let gap = "  "
    /// Columns of a terminal that nothing can be laid out for.
    private static let tooNarrow = 24

    /// - Parameter columns: A heading, and what is below it.
    init(_ columns: [(heading: String, column: Column)]) {
        headings = columns.map(\.heading)
        self.columns = columns.map(\.column)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// - Parameter cells: One for each column; what is missing is blank.
    mutating func add(_ cells: [String]) {
        let clean = zip(cells, columns).map { cell, column in
            column == .title ? Words.title(cell.withoutControls) : cell.withoutControls
        }
        rows.append(clean + Array(repeating: "", count: headings.count - clean.count))
    }

    /// - Parameter width: Columns that a line may have; nil: any number.
    func lines(width: Int?) -> [String] {
        let all = [headings] + rows
        var widths = headings.indices.map { column in all.map { $0[column].columns }.max() ?? 0 }
        var lines = [Array(headings.indices)]
        if let width, width >= Self.tooNarrow {
            lines = layOut(widths, width)
            for (number, line) in lines.enumerated() {
                shrink(&widths, of: line, to: width - (number > 0 ? Self.indent.columns : 0))
            }
        }
        return all.enumerated().flatMap { index, row in
            lines.enumerated().compactMap { number, line in
                let text = (number > 0 ? Self.indent : "") + text(of: row, line, widths)
                let isBlank = text.allSatisfy { $0 == " " }
                // Of headings, and of entries that have nothing there, no blank line is seen.
                return number > 0 && isBlank ? nil : text.withoutTrailingSpaces
            }
        }
    }

    private func text(of row: [String], _ line: [Int], _ widths: [Int]) -> String {
        line.map { column in
            let text = row[column].cut(toColumns: widths[column], keeping: columns[column].kept)
            let space = String(repeating: " ", count: max(0, widths[column] - text.columns))
            return columns[column] == .right ? space + text : text + space
        }.joined(separator: Self.gap)
    }

    /// Which columns stand in which line: as many in each as have room there when texts are as short as may be.
    private func layOut(_ widths: [Int], _ width: Int) -> [[Int]] {
        var lines: [[Int]] = [[]]
        var taken = 0
        for column in widths.indices {
            let least = min(widths[column], columns[column].least ?? .max)
            let isFirst = lines[lines.count - 1].isEmpty
            if !isFirst, taken + Self.gap.columns + least > width {
                lines.append([column])
                taken = Self.indent.columns + least
            } else {
                lines[lines.count - 1].append(column)
                taken += (isFirst ? 0 : Self.gap.columns) + least
            }
        }
        return lines
    }

    /// Takes from the widest text of a line first, down to the least that is left of each.
    private func shrink(_ widths: inout [Int], of line: [Int], to width: Int) {
        var excess = line.reduce(0) { $0 + widths[$1] } + Self.gap.columns * (line.count - 1) - width
        while excess > 0 {
            let texts = line.filter { column in columns[column].least.map { widths[column] > $0 } ?? false }
            guard let widest = texts.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        // A text that stands alone in its line and is still too wide has nothing to give way to.
        if excess > 0, line.count == 1, columns[line[0]].least != nil { widths[line[0]] = max(1, width) }
    }
}

extension String {
    fileprivate var withoutTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
