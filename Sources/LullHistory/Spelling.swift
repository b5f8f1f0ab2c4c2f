/// The word that was probably meant: the nearest by edits, when it is near enough.
func nearest(to word: String, among words: [String]) -> String? {
    let ranked = words.map { (word: $0, edits: edits(from: Array(word.utf8), to: Array($0.utf8))) }
    guard let best = ranked.min(by: { ($0.edits, $0.word) < ($1.edits, $1.word) }) else { return nil }
    return best.edits <= max(1, min(word.utf8.count, best.word.utf8.count) / 3) ? best.word : nil
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
private func edits(from a: [UInt8], to b: [UInt8]) -> Int {
    // A word far longer than any that is known needs no table.
    guard a.count <= 64 else { return a.count }
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { table[i][0] = i }
    for j in 0...b.count { table[0][j] = j }
    for i in 0..<a.count {
        for j in 0..<b.count {
            var best = min(table[i][j + 1] + 1, table[i + 1][j] + 1, table[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, table[i - 1][j - 1] + 1) }
            table[i + 1][j + 1] = best
        }
    }
    return table[a.count][b.count]
}
