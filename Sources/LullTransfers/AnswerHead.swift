public import LullModel

/// The head of a server's answer, line by line as it comes. With redirections, and before a body that is waited for, there are
/// several: the last counts.
public struct AnswerHead: Sendable, Equatable {
    public private(set) var status = 0
    public private(set) var headers: [TransferHeader] = []
    private var size = 0

    static let mostHeaders = 500

    public init() {}

    /// Takes a line with its end. Of headers beyond `Limits.transferHeadBytes` nothing is kept.
    public mutating func take(_ line: some Collection<UInt8>) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            self = AnswerHead()
            let word = text.split(separator: " ").dropFirst().first
            status = word.flatMap { UInt16($0.prefix(3)) }.map { Int($0) } ?? 0
            return
        }
        size += line.count
        guard size <= Limits.transferHeadBytes, headers.count < Self.mostHeaders,
            let colon = text.firstIndex(of: ":")
        else { return }
        let name = text[..<colon]
        let value = text[text.index(after: colon)...]
        headers.append(TransferHeader(String(name), Self.trimmed(value)))
    }

    /// The first header of this name, whatever its case.
    public func value(_ name: String) -> String? { headers.value(name) }

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
