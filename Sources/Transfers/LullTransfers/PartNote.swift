public import LullModel
private import LullWire

/// What is known of the part of a download: the side file, as JSON. It is on the disk before the part's first byte.
public struct PartNote: Sendable, Equatable {
    /// Where the bytes come from, behind all redirections.
    public var url: String
    public var status: Int
    public var headers: [TransferHeader]
    /// Bytes of the whole; nil: the server has not said, or more than any file has.
    public var total: Int64?
    /// The server's name for this very version of the file, by which the part can be resumed. Nil: it can't.
    public var validator: String?
    public var sent: Int64

    public init(
        url: String, status: Int, headers: [TransferHeader], total: Int64?, validator: String?, sent: Int64
    ) {
        self.url = url
        self.status = status
        self.headers = headers
        self.total = total.flatMap { Self.sizes.contains($0) ? $0 : nil }
        self.validator = validator
        self.sent = sent
    }

    /// Bytes of a side file that are read.
    public static let mostBytes = 8 * Limits.transferHeadBytes

    public var text: String {
        var members: [String: JSONValue] = [
            "version": .integer(1), "url": .string(url), "status": .integer(Int64(status)),
            "headers": .string(headers.map { $0.name + ":" + $0.value + "\n" }.joined()),
            "sent": .integer(sent),
        ]
        members["total"] = total.map { .integer($0) }
        members["validator"] = validator.map { .string($0) }
        return JSONValue.object(members).text
    }

    /// No file is longer, and the host believes no number beyond it.
    public static let sizes: ClosedRange<Int64> = 0...(1 << 53)

    /// Nil when the bytes are no side file of this version. The app can write what it likes there, so only values that
    /// could have been written here are accepted.
    public init?(_ bytes: [UInt8]) {
        func value(_ pointer: String) -> String? {
            bytes.withUnsafeBytes { json in
                JSONPointer(pointer.utf8)?.value(in: json).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        guard value("/version") == "1", let url = value("/url"), url.utf8.count <= Limits.transferURLBytes,
            let status = value("/status").flatMap({ Int($0) }), (0...999).contains(status),
            let sent = value("/sent").flatMap({ Int64($0) }), Self.sizes.contains(sent),
            let lines = value("/headers"),
            lines.utf8.count <= 2 * Limits.transferHeadBytes
        else { return nil }
        var head = AnswerHead()
        for line in lines.utf8.split(separator: UInt8(ascii: "\n")) { head.take(line) }
        let total = value("/total").map { Int64($0) ?? -1 }
        guard total.map(Self.sizes.contains) ?? true else { return nil }
        self.init(
            url: url, status: status, headers: head.headers, total: total, validator: value("/validator"),
            sent: sent)
    }

    /// A strong ETag. A weak one says that two versions mean the same, not that they are the same.
    public static func strongTag(_ head: AnswerHead) -> String? {
        head.value("etag").flatMap { $0.hasPrefix("\"") && $0.count > 2 ? $0 : nil }
    }
}
