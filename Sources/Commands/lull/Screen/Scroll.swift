/// Which lines of a longer text are in sight.
struct Scroll: Equatable {
    private(set) var first = 0
    /// How many lines there was room for when it was last shown.
    private var room = 1

    /// The lines in sight, and whether there are more above or below.
    mutating func visible(of lines: [String], room: Int) -> ArraySlice<String> {
        self.room = max(room, 1)
        first = min(max(first, 0), max(0, lines.count - self.room))
        return lines[first..<min(lines.count, first + self.room)]
    }

    mutating func show(_ line: Int) {
        first = min(line, max(first, line - room + 1))
    }

    /// Moves by a key; false: the key does not move.
    mutating func press(_ key: KeyPress) -> Bool {
        switch key {
        case .up, .character("k"): first -= 1
        case .down, .character("j"): first += 1
        case .pageUp: first -= room
        case .pageDown, .character(" "): first += room
        case .home, .character("g"): first = 0
        // `visible` brings it back into the text.
        case .end, .character("G"): first = .max / 2
        default: return false
        }
        first = max(first, 0)
        return true
    }

    /// The row that a key moves to from another one, of so many; nil: it does not move.
    static func row(from old: Int, of count: Int, _ key: KeyPress) -> Int? {
        guard count > 0 else { return nil }
        var cursor = Scroll()
        cursor.first = old
        switch key {
        case .pageUp: cursor.first = max(old - 10, 0)
        case .pageDown: cursor.first = old + 10
        default: guard cursor.press(key) else { return nil }
        }
        return min(cursor.first, count - 1)
    }
}
