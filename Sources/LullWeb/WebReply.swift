public import Foundation

/// What is answered over HTTP: a status, a kind of content, and its bytes.
public struct WebReply: Sendable, Equatable {
    public var status: Int
    public var contentType: String
    public var body: Data
    /// The methods that are understood here, for a method that is not.
    public var allow: String?

    public init(status: Int = 200, contentType: String = "application/json", body: Data) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// Not done: the sentence says why and what to do.
    static func refusal(_ status: Int, _ sentence: String) -> WebReply {
        WebReply(status: status, body: WebJSON.encode(["error": sentence]))
    }

    static func done(_ sentence: String) -> WebReply {
        WebReply(body: WebJSON.encode(["done": sentence]))
    }

    /// Sent with everything: nothing from elsewhere is loaded, run or framed, nothing is kept, nothing is guessed.
    static let headers: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("Cache-Control", "no-store"),
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
        return (try? encoder.encode(value)) ?? Data("{}".utf8)
    }
}
