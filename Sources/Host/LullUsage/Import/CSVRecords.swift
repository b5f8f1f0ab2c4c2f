/// Reads comma-separated records one at a time, with quoted fields as RFC 4180 defines them.
struct CSVRecords {
    struct Field {
        var range: Range<Int>
        var line: Int
        /// Of the first byte of the text, after an opening quotation mark; in bytes, from 1.
        var column: Int
    }

    struct Record {
        /// The fields without their quotation marks, with commas between them.
        var bytes: [UInt8] = []
        var fields: [Field] = []
        var line = 0
        /// Why the record is not valid; the reader continues after it.
        var problem: (line: Int, column: Int, fault: ImportProblem.Fault)?

        func text(_ field: Int) -> ArraySlice<UInt8> { bytes[fields[field].range] }
        /// Whether it holds nothing but spaces and tabs.
        var isBlank: Bool { fields.count == 1 && bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
    }

    /// The limit of a record; a longer one is most likely a quotation mark that was never closed.
    static let recordBytes = 64 << 10

    private var reader: ByteReader
    private var line = 1
    private var column = 0

    init(_ input: ImportInput) { reader = ByteReader(input) }

    /// Reads the next record; false at the end.
    mutating func next(into record: inout Record) throws(ImportError) -> Bool {
        guard let first = try byte() else { return false }
        record.bytes.removeAll(keepingCapacity: true)
        record.fields.removeAll(keepingCapacity: true)
        record.problem = nil
        record.line = line
        var current: UInt8? = first
        while true {
            current = try field(from: current, into: &record)
            guard record.problem == nil else {
                try skipLine(from: current)
                break
            }
            guard current == UInt8(ascii: ",") else { break }
            record.bytes.append(UInt8(ascii: ","))
            current = try byte()
        }
        line += 1
        column = 0
        return true
    }

    /// Reads a field that begins with `first`, and returns the byte that ended it: a comma, a newline, or nil at the end.
    private mutating func field(from first: UInt8?, into record: inout Record) throws(ImportError) -> UInt8? {
        let begin = record.bytes.count
        if first == UInt8(ascii: "\"") { return try quoted(into: &record) }
        let place = (line, column)
        var current = first
        while let byte = current, byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n") {
            guard record.bytes.count < Self.recordBytes else {
                record.problem = (record.line, 1, .tooLong(limit: Self.recordBytes))
                return byte
            }
            record.bytes.append(byte)
            current = try self.byte()
        }
        if current != UInt8(ascii: ","), record.bytes.count > begin, record.bytes.last == UInt8(ascii: "\r") {
            record.bytes.removeLast()
        }
        record.fields.append(Field(range: begin..<record.bytes.count, line: place.0, column: place.1))
        return current
    }

    private mutating func quoted(into record: inout Record) throws(ImportError) -> UInt8? {
        let begin = record.bytes.count
        let open = (line, column)
        while true {
            guard let byte = try byte() else {
                record.problem = (open.0, open.1, .openQuote)
                return nil
            }
            if byte == UInt8(ascii: "\"") {
                var after = try self.byte()
                if after == UInt8(ascii: "\"") {
                    record.bytes.append(byte)
                    continue
                }
                record.fields.append(
                    Field(range: begin..<record.bytes.count, line: open.0, column: open.1 + 1))
                if after == UInt8(ascii: "\r") { after = try self.byte() }
                if let after, after != UInt8(ascii: ","), after != UInt8(ascii: "\n") {
                    record.problem = (line, column, .afterQuote)
                }
                return after
            }
            guard record.bytes.count < Self.recordBytes else {
                record.problem = (open.0, open.1, .openQuote)
                return byte
            }
            record.bytes.append(byte)
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 0
            }
        }
    }

    private mutating func skipLine(from current: UInt8?) throws(ImportError) {
        var current = current
        while let byte = current, byte != UInt8(ascii: "\n") { current = try self.byte() }
    }

    private mutating func byte() throws(ImportError) -> UInt8? {
        column += 1
        return try reader.next()
    }
}
