/// Reads an input byte by byte.
struct ByteReader {
    private let input: ImportInput
    private var piece: [UInt8] = []
    private var index = 0

    init(_ input: ImportInput) { self.input = input }

    mutating func next() throws(ImportError) -> UInt8? {
        if index == piece.count {
            piece = try input.read()
            index = 0
            if piece.isEmpty { return nil }
        }
        defer { index += 1 }
        return piece[index]
    }

    /// Appends the next line to `line`, without its newline, up to `limit` bytes in all.
    ///
    /// Returns nil at the end of the input; else whether all of the line fits.
    mutating func line(into line: inout [UInt8], limit: Int) throws(ImportError) -> Bool? {
        var isEmpty = true
        var fits = true
        while true {
            if index == piece.count {
                piece = try input.read()
                index = 0
                if piece.isEmpty { return isEmpty ? nil : fits }
            }
            isEmpty = false
            let end = piece[index...].firstIndex(of: UInt8(ascii: "\n"))
            let part = piece[index..<(end ?? piece.count)]
            if line.count + part.count <= limit { line += part } else { fits = false }
            index = end.map { $0 + 1 } ?? piece.count
            if end != nil { return fits }
        }
    }
}
