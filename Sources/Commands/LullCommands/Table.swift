import LullModel

/// Rows in columns: aligned for a person, cut into the terminal's width; the last column wraps.
///
/// If the other columns leave too little room for it, a text that is too long stands below its row, and so do the columns
/// that do not fit beside the first. A name that is too wide on its own loses its beginning.
package struct Table {
    /// A narrower last column is hard to read.
    package static let room = 30
    package static let below = 4

    package struct Cell {
        package var text: String
        package var style: Terminal.Style?
        package init(_ text: String, _ style: Terminal.Style? = nil) {
            self.text = text
            self.style = style
        }
    }

    package var header: [String]
    package var rows: [[Cell]]
    /// Whether the last column stands below its row even if there is room beside it.
    package var isStacked: Bool
    /// Whether the last column stays on one line: on a terminal its end is cut off.
    package var isOneLine: Bool

    package init(
        header: [String], rows: [[Cell]] = [], isStacked: Bool = false, isOneLine: Bool = false
    ) {
        self.header = header
        self.rows = rows
        self.isStacked = isStacked
        self.isOneLine = isOneLine
    }

    package func rendered(for terminal: Terminal) -> String {
        let count = header.count
        var widths = header.map(\.displayWidth)
        for row in rows {
            for (index, cell) in row.enumerated() where index < count - 1 {
                widths[index] = max(widths[index], cell.text.terminalSafe.displayWidth)
            }
        }
        let indent = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        guard !isStacked, terminal.columns - indent >= Self.room else { return stacked(widths, terminal) }
        let room = terminal.columns - indent
        var out = line(header.map { Cell($0, .bold) }, widths, room, indent, terminal)
        for row in rows { out += line(row, widths, room, indent, terminal) }
        return out
    }

    private func stacked(_ widths: [Int], _ terminal: Terminal) -> String {
        var widths = widths
        var beside = max(header.count - 1, 1)
        while beside > 1, widths[..<beside].reduce(-2, { $0 + $1 + 2 }) > terminal.columns { beside -= 1 }
        widths[0] = min(widths[0], terminal.columns)
        let room = max(terminal.columns - Self.below, 1)
        let left = terminal.columns - widths[..<beside].reduce(0) { $0 + $1 + 2 }
        let hasRoom = !isStacked && beside == header.count - 1
        let margin = String(repeating: " ", count: Self.below)
        func show(_ cells: [Cell]) -> String {
            if hasRoom, let last = cells.last, !last.text.contains("\n"),
                last.text.terminalSafe.displayWidth <= left
            {
                return line(cells, widths, left, 0, terminal)
            }
            var out = line(Array(cells[..<beside]) + [Cell("")], widths, room, 0, terminal)
            guard cells.count > beside, let last = cells.last else { return out }
            let folded = cells[beside..<(cells.count - 1)].map(\.text).filter { !$0.isEmpty && $0 != "–" }
            if !folded.isEmpty {
                for part in wrapped(folded.joined(separator: " · "), to: room) { out += margin + part + "\n" }
            }
            guard !last.text.isEmpty else { return out }
            for part in lines(of: last, in: room, terminal) {
                out += margin + styled(part, last.style, terminal) + "\n"
            }
            return out
        }
        return show(header.map { Cell($0, .bold) }) + rows.map(show).joined()
    }

    private func line(
        _ cells: [Cell], _ widths: [Int], _ room: Int, _ indent: Int, _ terminal: Terminal
    ) -> String {
        var out = ""
        for (index, cell) in cells.enumerated() where index < cells.count - 1 {
            let text = cell.text.terminalSafe.elided(to: widths[index])
            out += styled(text, cell.style, terminal)
            out += String(repeating: " ", count: widths[index] - text.displayWidth + 2)
        }
        guard let last = cells.last else { return out + "\n" }
        let lines = lines(of: last, in: room, terminal)
        out += lines.map { styled($0, last.style, terminal) }
            .joined(separator: "\n" + String(repeating: " ", count: indent))
        while out.last == " " { out.removeLast() }
        return out + "\n"
    }

    private func lines(of cell: Cell, in room: Int, _ terminal: Terminal) -> [String] {
        isOneLine
            ? [terminal.isInteractive ? cell.text.terminalSafe.elided(to: room) : cell.text.terminalSafe]
            : wrapped(cell.text, to: room)
    }

    private func styled(_ text: String, _ style: Terminal.Style?, _ terminal: Terminal) -> String {
        guard let style else { return text }
        return terminal.styled(text, style)
    }
}
