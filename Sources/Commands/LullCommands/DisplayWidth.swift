/// How many columns of a terminal a text takes.
///
/// East Asian wide and full-width characters and emoji take two, combining characters none. This follows Unicode's
/// annex 11; characters that it calls ambiguous take one, as in terminals outside of East Asia.
extension StringProtocol {
    package var displayWidth: Int {
        // Most of what is shown is ASCII.
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// The first characters, as many as fit in so many columns.
    package func prefix(columns: Int) -> String {
        var rest = columns
        return String(
            prefix {
                rest -= $0.displayWidth
                return rest >= 0
            })
    }

    /// The last characters, as many as fit in so many columns.
    package func suffix(columns: Int) -> String {
        String(String(reversed()).prefix(columns: columns).reversed())
    }
}

extension Character {
    package var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.isASCII { return 1 }
        if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
        }
    }

    /// Annex 11's classes W and F, without the emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// The text in at most so many columns. An ellipsis replaces the beginning of a dotted name, whose end tells more,
    /// and the end of any other text.
    package func elided(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        guard columns > 1 else { return columns == 1 ? "…" : "" }
        return contains(".") && !contains(" ")
            ? "…" + suffix(columns: columns - 1) : prefix(columns: columns - 1) + "…"
    }

    package func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - displayWidth))
    }
}
