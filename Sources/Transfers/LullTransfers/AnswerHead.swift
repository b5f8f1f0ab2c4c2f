public import LullModel

/// The head of a server's answer, line by line as it comes. There are several with redirections, and with a `100
/// Continue`: the last counts.
public struct AnswerHead: Sendable, Equatable {
    public private(set) var status = 0
    public private(set) var headers: [TransferHeader] = []
    private var size = 0

    static let mostHeaders = 500

    public init() {}

    /// Takes a line with its end. Headers beyond `Limits.transferHeadBytes` are dropped, and lines without a valid name.
    public mutating func take(_ line: some Collection<UInt8>) {
        if line.starts(with: "HTTP/".utf8) {
            self = AnswerHead()
            let word = String(decoding: line, as: UTF8.self).split(separator: " ").dropFirst().first
            status = word.flatMap { UInt16($0.prefix(3)) }.map { Int($0) } ?? 0
            return
        }
        size += line.count
        guard size <= Limits.transferHeadBytes, headers.count < Self.mostHeaders,
            let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(Self.isInName)
        else { return }
        let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
        headers.append(
            TransferHeader(String(decoding: line[..<colon], as: UTF8.self), Self.trimmed(value[...])))
    }

    /// The first header of this name, whatever its case.
    public func value(_ name: String) -> String? { headers.value(name) }

    /// False where a Content-Length is no number, or too large for one, or differs from another: the end of the body would not
    /// be known.
    public var hasReadableLength: Bool {
        let lengths = headers.values("content-length").map { Int64($0) ?? -1 }
        return Set(lengths).count <= 1 && lengths.allSatisfy { $0 >= 0 }
    }

    /// Whether a byte may be in a token (RFC 9110, section 5.6.2).
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}

extension [TransferHeader] {
    public func value(_ name: String) -> String? { values(name).first }

    public func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return filter { $0.name.lowercased() == name }.map(\.value)
    }
}
