/// Finds the end of a request's head as it arrives: looks at each byte once, and throws at the limits.
struct HTTPHeadScanner {
    let limits: WebLimits
    /// How many bytes have been looked at.
    private(set) var looked = 0
    /// The lines so far, without their ends.
    private(set) var lines: [Range<Int>] = []
    private var lineStart = 0

    init(limits: WebLimits) { self.limits = limits }

    /// Looks at the bytes that are new. Returns where the head ends; nil while it has not ended.
    mutating func scan(_ bytes: [UInt8]) throws(HTTPRefusal) -> Int? {
        while looked < bytes.count {
            let byte = bytes[looked]
            let afterReturn = looked > lineStart && bytes[looked - 1] == UInt8(ascii: "\r")
            looked += 1
            if byte == UInt8(ascii: "\n") {
                guard afterReturn else { throw .malformed("a line ends without a carriage return") }
                if try endLine() { return looked }
            } else if afterReturn {
                throw .malformed("a carriage return is within a line")
            } else if looked == 1, byte != UInt8(ascii: "\r"), !HTTPHead.isToken(byte) {
                // A client that speaks another protocol, such as TLS, gets the error at once.
                throw .malformed("it does not begin with a method")
            }
            if lines.isEmpty, looked - lineStart > limits.line { throw .lineTooLong(limit: limits.line) }
            if looked >= limits.head { throw .headTooLong(limit: limits.head) }
        }
        return nil
    }

    /// Whether that was the empty line which ends the head.
    private mutating func endLine() throws(HTTPRefusal) -> Bool {
        let line = lineStart..<looked - 2
        lineStart = looked
        guard line.isEmpty else {
            lines.append(line)
            if lines.count > limits.headers + 1 { throw .tooManyHeaders(limit: limits.headers) }
            return false
        }
        // One empty line may be left over from the body of the request before.
        if lines.isEmpty, looked > 2 { throw .malformed("it begins with empty lines") }
        return !lines.isEmpty
    }
}
