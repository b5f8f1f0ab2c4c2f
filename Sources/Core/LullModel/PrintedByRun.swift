/// The last lines that a run printed, of both streams as they came: what somebody who waited for its success wants to see.
///
/// What the plugin logged stands in the reason, as far as it counts.
public struct PrintedByRun: Sendable, Equatable, Codable {
    /// None: it printed nothing.
    public var lines: [String]
    /// Of lines that it printed.
    public var count: Int
    /// Some of it is kept nowhere.
    public var isCut: Bool

    public init(lines: [String], count: Int, isCut: Bool = false) {
        (self.lines, self.count, self.isCut) = (lines, count, isCut)
    }

    /// Whether there is more to see than these lines of it.
    public func hasMore(than shown: [String]) -> Bool {
        !lines.isEmpty && (isCut || count > shown.count)
    }

    /// Fed with all that is printed, it keeps no more than it tells.
    public struct Reader: Sendable {
        private var last = LastLines()
        private var ends = 0
        private var isOpen = false

        public init() {}

        public mutating func append(_ bytes: [UInt8]) {
            guard let end = bytes.last else { return }
            last.append(bytes, isError: false)
            ends += bytes.count { $0 == UInt8(ascii: "\n") }
            // A last line without its end is a line, too.
            isOpen = end != UInt8(ascii: "\n")
        }

        /// - Parameters:
        ///   - dropped: bytes that are kept nowhere.
        public func told(dropped: Int) -> PrintedByRun {
            PrintedByRun(lines: last.lines, count: ends + (isOpen ? 1 : 0), isCut: dropped > 0)
        }
    }
}
