import LullCommands

/// A heat map for a terminal: one line for each row, shades of block characters or coloured cells.
///
/// It fits into the given width: columns become narrower, and then two or four share one, which shows the greatest of
/// them, so that a shade means the same at any width. Pointers in the margins mark the present, so that its own cell stays
/// readable. The lines have no trailing spaces unless cells are coloured.
struct TextHeatMap {
    /// How many colours the terminal has.
    enum Depth: Equatable {
        case none
        case indexed
        case full
    }

    /// Short names, alike in width.
    var rows: [String]
    /// The names at the left edge of some columns.
    var edges: [Int: String]
    var values: [[Double]]
    /// The value of the strongest shade.
    var top: Double
    /// The cell of the present.
    var now: (row: Int, column: Int)?
    var depth = Depth.none
    /// The colours of a coloured map.
    var ramp = Ramp.brightening

    private static let shades: [Character] = [" ", "░", "▒", "▓", "█"]

    /// How many columns of `values` one column of the map shows, and how many characters it takes.
    struct Layout: Equatable {
        let columnsEach: Int
        let characters: Int
    }

    func layout(width: Int) -> Layout {
        let room = width - margin
        let count = values.map(\.count).max() ?? 0
        for characters in [3, 2] where count * characters <= room {
            return Layout(columnsEach: 1, characters: characters)
        }
        for columnsEach in [2, 4] {
            for characters in [2, 1] where (count + columnsEach - 1) / columnsEach * characters <= room {
                return Layout(columnsEach: columnsEach, characters: characters)
            }
        }
        return Layout(columnsEach: 4, characters: 1)
    }

    /// The row's name, the pointer and a space.
    private var margin: Int { (rows.map(\.count).max() ?? 0) + 2 }

    /// The map in lines without their ends: the columns' names, a pointer to the present one, the rows.
    func lines(width: Int) -> [String] {
        let layout = layout(width: width)
        var lines = [names(layout)]
        if let now { lines.append(indented(now.column / layout.columnsEach, "▾", layout)) }
        for (row, name) in rows.enumerated() where row < values.count {
            let padding = String(repeating: " ", count: margin - 2 - name.count)
            let pointer = now?.row == row ? "▸" : " "
            let cells = shares(of: values[row], layout).map { Cell(share: $0, width: layout.characters) }
            lines.append(trimmed(name + padding + pointer + " " + drawn(cells)))
        }
        return lines
    }

    /// The shades from nothing to the strongest, for the legend, and how many characters they take.
    var scale: (text: String, width: Int) {
        switch depth {
        case .none: (String(Self.shades.dropFirst()), Self.shades.count - 1)
        case .indexed, .full: (drawn((0...7).map { Cell(share: Double($0) / 7, width: 1) }), 8)
        }
    }

    private struct Cell {
        let share: Double
        let width: Int
    }

    private func shares(of row: [Double], _ layout: Layout) -> [Double] {
        stride(from: 0, to: row.count, by: layout.columnsEach).map { first in
            let together = row[first..<min(row.count, first + layout.columnsEach)]
            let most = together.reduce(0) { max($0, $1.isFinite ? $1 : 0) }
            return top > 0 ? min(1, most / top) : 0
        }
    }

    private func drawn(_ cells: [Cell]) -> String {
        var out = ""
        var last = ""
        for cell in cells {
            switch depth {
            case .none:
                let place = Int((cell.share * Double(Self.shades.count - 1)).rounded())
                out += String(repeating: Self.shades[place], count: cell.width)
            case .indexed, .full:
                let code = background(cell.share)
                if code != last { out += "\u{1B}[" + code + "m" }
                last = code
                out += String(repeating: " ", count: cell.width)
            }
        }
        return depth == .none ? out : out + "\u{1B}[0m"
    }

    private func background(_ share: Double) -> String {
        guard depth == .full else { return "48;5;\(ramp.index(at: share))" }
        let colour = ramp.colour(at: share)
        return "48;2;\(colour.red);\(colour.green);\(colour.blue)"
    }

    private func names(_ layout: Layout) -> String {
        var line = String(repeating: " ", count: margin)
        for (column, name) in edges.sorted(by: { $0.key < $1.key })
        where column % layout.columnsEach == 0 {
            let place = margin + column / layout.columnsEach * layout.characters
            // A name that would touch the one before is left out.
            guard line.count < place || place == margin else { continue }
            line += String(repeating: " ", count: place - line.count) + name
        }
        return trimmed(line)
    }

    private func indented(_ column: Int, _ sign: String, _ layout: Layout) -> String {
        let place = margin + column * layout.characters + (layout.characters - 1) / 2
        return String(repeating: " ", count: place) + sign
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
