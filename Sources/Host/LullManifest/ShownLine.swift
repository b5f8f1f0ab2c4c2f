/// A line of the manifest as a terminal shows it, with the caret that points into it.
///
/// A character of the file may take no cell, one or two, or be invisible: the caret counts cells. Tabs become
/// spaces and invisible characters their names, so that nothing in a file can play tricks with a terminal.
struct ShownLine {
    /// How many characters of a long line are shown before and after the place.
    static let before = 60
    static let after = 60

    let text: String
    /// The spaces before the caret.
    let indent: String
    /// `^`, and a `~` for each further cell.
    let caret: String

    /// `first` is the column of the first character of `line`; all columns count characters from 1.
    init(_ line: String, from first: Int, column: Int, endColumn: Int?) {
        let scalars = Array(line.unicodeScalars)
        let at = max(0, min(column - first, scalars.count))
        let end = max(at + 1, min((endColumn ?? column + 1) - first, scalars.count))
        let isLong = scalars.count > Self.before + Self.after
        let from = isLong ? max(0, at - Self.before) : 0
        let to = isLong ? min(scalars.count, at + Self.after) : scalars.count

        var text = from > 0 || first > 1 ? "…" : ""
        var cells = text.isEmpty ? 0 : 1
        var start = cells
        var caret = 0
        for index in from..<to {
            let (piece, width) = Self.shown(scalars[index], at: cells)
            text += piece
            cells += width
            if index < at { start = cells } else if index < end { caret += width }
        }
        if to < scalars.count { text += "…" }
        self.text = text
        indent = String(repeating: " ", count: start)
        self.caret = "^" + String(repeating: "~", count: max(0, caret - 1))
    }

    private static func shown(_ scalar: Unicode.Scalar, at cells: Int) -> (String, Int) {
        if scalar == "\t" {
            let width = 4 - cells % 4
            return (String(repeating: " ", count: width), width)
        }
        if isInvisible(scalar) {
            let name = name(of: scalar)
            return (name, name.unicodeScalars.count)
        }
        return (String(scalar), width(of: scalar))
    }

    static func name(of scalar: Unicode.Scalar) -> String { "<U+\(hex(scalar.value, 4))>" }

    /// Control characters, and those that turn the direction of text or separate lines.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// How many cells of a terminal a character takes.
    static func width(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
            0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
