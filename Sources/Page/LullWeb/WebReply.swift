public import Foundation
import LullControl
import LullHistory
import LullModel

/// An answer over HTTP: a status, a content type, and its bytes.
public struct WebReply: Sendable, Equatable {
    public static let json = "application/json"

    public var status: Int
    public var contentType: String
    public var body: Data
    /// The methods that the path takes, if the request has another one.
    public var allow: String?
    /// The span after which the client may ask again; sent as whole seconds.
    public var wait: Duration?
    /// Of a change: nothing was done, for all was so before.
    public var wasSo = false

    public init(status: Int = 200, contentType: String = WebReply.json, body: Data) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// A refusal: the sentence says why and what to do.
    static func refusal(_ status: Int, _ sentence: String, wait: Duration? = nil) -> WebReply {
        var reply = WebReply(status: status, body: WebJSON.encode(ErrorJSON(sentence, status: status)))
        reply.wait = wait
        return reply
    }

    /// Removes from each reason in JSON the clause that quotes a plugin's output, and what follows it in the reason.
    mutating func leaveOutPrinted() {
        guard contentType == Self.json else { return }
        let clause = Data(PrintedLast.beginning.utf8)
        var rest = body
        var kept = Data()
        while let found = rest.range(of: clause) {
            kept += rest[..<found.lowerBound]
            rest = rest[found.upperBound...]
            // The string's end: a quotation mark that is not escaped.
            var isEscaped = false
            let end = rest.firstIndex { byte in
                defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
                return byte == UInt8(ascii: "\"") && !isEscaped
            }
            rest = rest[(end ?? rest.endIndex)...]
        }
        body = kept + rest
    }

    static func done(_ said: OrderAnswer, of order: (any Order)? = nil) -> WebReply {
        var reply = WebReply(body: WebJSON.encode(DoneJSON(said, until: order?.end?.rfc3339)))
        reply.wasSo = said.wasSo == true
        return reply
    }

    /// Sent with every answer: nothing from elsewhere is loaded, run or framed, nothing is kept, nothing is guessed.
    static let headers: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("Cache-Control", "no-store"),
        ("Vary", "Accept-Encoding"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

/// JSON as the commands write it: sorted keys in snake case.
public enum WebJSON {
    public static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // Infinite numbers alone could fail to be encoded, and no answer holds one.
        guard let data = try? encoder.encode(value) else { return Data("{}".utf8) }
        // A client on a terminal shows the text as it is.
        return Data(String(decoding: data, as: UTF8.self).terminalSafeJSON.utf8)
    }
}
