/// "Did you mean …?": the known word that takes the fewest edits.
package enum Spelling {
    /// Where words and known words may come by the ten thousand, the first are looked up.
    package static let mostQuestions = 100

    /// Nil when nothing is near: more than a third of the letters would have to change.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let word = Array(word.utf8.map(lowercase))
        guard !word.isEmpty, word.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for name in known where abs(name.utf8.count - word.count) <= 3 {
            let distance = distance(word, Array(name.utf8.map(lowercase)))
            if distance < best?.distance ?? .max { best = (name, distance) }
        }
        guard let best, best.distance <= max(1, word.count / 3) else { return nil }
        return best.name
    }

    /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
    package static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            row.reserveCapacity(b.count + 1)
            for j in b.indices {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                row.append(cost)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }

    /// `-` and `_` count as the same: `time-limit` is a typing error too.
    private static func lowercase(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "-"): UInt8(ascii: "_")
        default: byte
        }
    }
}
