/// A path into a JSON text (RFC 6901): how a plugin asks for one of its settings without a parser of its own.
///
/// The text is scanned as bytes, without being turned into values: a lookup allocates the answer and nothing
/// else. A text that is no JSON has nothing at any path; of a key that is there twice the first counts.
public struct JSONPointer: Sendable, Equatable {
    private let steps: [[UInt8]]

    /// Nil when it does not begin with `/`, or a `~` is neither `~0` nor `~1`. The empty pointer is the whole
    /// text.
    public init?(_ text: some Collection<UInt8>) {
        guard !text.isEmpty else {
            steps = []
            return
        }
        var steps: [[UInt8]] = []
        var isEscape = false
        for (index, byte) in text.enumerated() {
            if index == 0, byte != UInt8(ascii: "/") { return nil }
            switch byte {
            case UInt8(ascii: "/"):
                if isEscape { return nil }
                steps.append([])
            case UInt8(ascii: "0") where isEscape, UInt8(ascii: "1") where isEscape:
                steps[steps.count - 1].append(UInt8(ascii: byte == UInt8(ascii: "0") ? "~" : "/"))
                isEscape = false
            case _ where isEscape: return nil
            case UInt8(ascii: "~"): isEscape = true
            default: steps[steps.count - 1].append(byte)
            }
        }
        guard !isEscape else { return nil }
        self.steps = steps
    }

    /// The value at this path: a string unquoted and unescaped, anything else as its JSON text; nil: nothing
    /// is there.
    public func value(in json: UnsafeRawBufferPointer) -> [UInt8]? {
        var scanner = JSONScanner(json)
        for step in steps {
            guard scanner.enter(step) else { return nil }
        }
        return scanner.value()
    }
}
