/// The last lines that a run printed, of both streams in order, for a person who waited for its success.
///
/// Log lines of the plugin are in the reason instead, if they matter.
public struct PrintedByRun: Sendable, Equatable, Codable {
    /// Empty: it printed nothing.
    public var lines: [String]
    /// The number of lines that it printed.
    public var count: Int
    /// Whether some of the output was not kept.
    public var isCut: Bool

    public init(lines: [String], count: Int, isCut: Bool = false) {
        (self.lines, self.count, self.isCut) = (lines, count, isCut)
    }

    /// Whether there is more output than these lines.
    public func hasMore(than shown: [String]) -> Bool {
        !lines.isEmpty && (isCut || count > shown.count)
    }

    /// Reads all output of a run, and keeps only the last lines.
    public struct Reader: Sendable {
        private var last = LastLines()
        private var ends = 0
        private var isOpen = false

        public init() {}

        public mutating func append(_ bytes: [UInt8]) {
            guard let end = bytes.last else { return }
            last.append(bytes, isError: false)
            ends += bytes.count { $0 == UInt8(ascii: "\n") }
            // A last line without a newline is a line, too.
            isOpen = end != UInt8(ascii: "\n")
        }

        /// - Parameters:
        ///   - dropped: bytes that were not kept.
        public func told(dropped: Int) -> PrintedByRun {
            PrintedByRun(lines: last.lines, count: ends + (isOpen ? 1 : 0), isCut: dropped > 0)
        }
    }
}
