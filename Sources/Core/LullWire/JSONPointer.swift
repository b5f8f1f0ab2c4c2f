/// A path into a JSON text (RFC 6901), with which a plugin gets one of its settings without a parser of its own.
///
/// The text is scanned as bytes, without building values: a lookup allocates only the answer. Invalid JSON has
/// no value at any path; of a duplicate key the first counts.
public struct JSONPointer: Sendable, Equatable {
    private let steps: [[UInt8]]

    /// Nil when `text` does not begin with `/`, or contains a `~` that is neither `~0` nor `~1`. The empty pointer
    /// means the whole text.
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

    /// The value at this path: a string unquoted and unescaped, anything else as its JSON text; nil: there is no value.
    public func value(in json: UnsafeRawBufferPointer) -> [UInt8]? {
        var scanner = JSONScanner(json)
        for step in steps {
            guard scanner.enter(step) else { return nil }
        }
        return scanner.value()
    }
}
