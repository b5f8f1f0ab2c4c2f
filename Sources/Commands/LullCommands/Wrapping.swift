import LullModel

/// Breaks text at spaces. A word that is longer than the line stands alone, or on a terminal goes on in the next line:
/// the reader of a pipe may search for the whole word.
package func wrapped(
    _ text: String, to width: Int, breaking: Bool = Terminal.output.isInteractive
) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if isLine(paragraph.utf8, of: width) {
            lines.append(String(paragraph).terminalSafe)
            continue
        }
        var line = ""
        var columns = 0
        for word in paragraph.split(separator: " ") {
            let word = String(word).terminalSafe
            for piece in breaking ? pieces(of: word, to: width) : [word] {
                let more = piece.displayWidth
                if !line.isEmpty, columns + 1 + more > width {
                    lines.append(line)
                    (line, columns) = ("", 0)
                }
                columns += more + (line.isEmpty ? 0 : 1)
                line += (line.isEmpty ? "" : " ") + piece
            }
        }
        lines.append(line)
    }
    return lines
}

/// Whether the text fits in one line as it is: no character takes more columns than bytes, and no two spaces become one.
private func isLine(_ text: Substring.UTF8View, of width: Int) -> Bool {
    guard text.count <= width else { return false }
    let space = UInt8(ascii: " ")
    var before = space
    for byte in text {
        if byte == space, before == space { return false }
        before = byte
    }
    return before != space
}

/// A word that fits stays whole. Another is broken behind a mark such as the slashes of a path, or where the line ends.
private func pieces(of word: String, to width: Int) -> [String] {
    guard width > 0, word.displayWidth > width else { return [word] }
    var pieces: [String] = []
    var rest = word[...]
    while rest.displayWidth > width {
        let line = rest.prefix(columns: width)
        let mark = line.lastIndex { "/.-_:,=".contains($0) }.map { line.index(after: $0) }
        let piece = mark.map { String(line[..<$0]) } ?? line
        // A character that is wider than the line.
        guard !piece.isEmpty else { break }
        pieces.append(piece)
        rest = rest.dropFirst(piece.count)
    }
    return pieces + [String(rest)]
}
