import LullModel
import LullTransfers

/// One request of an attempt: the first, or one that a redirection or a challenge has led to.
struct Hop {
    var url: String
    var place: Place
    var method: String
    var headers: [TransferHeader]
    /// Whether it sends the order's body or file.
    var sends: Bool
    var redirections = 0

    /// As many as Apple's and most browsers follow.
    static let mostRedirections = 20

    init?(_ order: TransferOrder) {
        guard let place = Place(order.url) else { return nil }
        url = order.url
        self.place = place
        method = order.method
        headers = order.headers
        sends = order.body != nil || order.direction == .upload
    }

    /// Follows a redirection of this status, as browsers do. Headers that were meant for one place are not sent to another.
    mutating func follow(to url: String, place: Place, status: Int) {
        let becomesGet =
            status == 303 ? method != "HEAD" : (status == 301 || status == 302) && method == "POST"
        if becomesGet {
            method = "GET"
            sends = false
            headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        if place != self.place {
            headers.removeAll { Self.secret.contains($0.name.lowercased()) }
        }
        let isEncrypted = self.place.scheme == "http" && place.scheme == "https"
        if place.host != self.place.host || place.port != self.place.port && !isEncrypted {
            headers.removeAll { !Self.isForAnybody($0.name.lowercased()) }
        }
        redirections += 1
        self.url = url
        self.place = place
    }

    private static let secret: Set = ["authorization", "cookie", "proxy-authorization"]

    /// Whether another server may get the header: only those on how to read the answer or the body. A header of the
    /// app's own may be a key.
    private static func isForAnybody(_ name: String) -> Bool {
        ["accept", "content-", "if-"].contains(where: name.hasPrefix)
            || ["user-agent", "range", "cache-control", "pragma"].contains(name)
    }

    /// The URL without its query, which may differ each time that a server signs its URLs.
    static func withoutQuery(_ url: String) -> Substring { url.prefix { $0 != "?" && $0 != "#" } }
}

extension TransferOrder {
    var hasOwnRange: Bool { headers.value("range") != nil || headers.value("if-range") != nil }

    /// Whether a part of it can be resumed, if the server can.
    var mayResume: Bool { direction == .download && method == "GET" && body == nil && !hasOwnRange }

    /// Why it can't be sent as it is; nil: it can.
    var fault: TransferFailure? {
        func failure(_ sentence: String) -> TransferFailure {
            TransferFailure(code: TransferFailure.Code.badURL, sentence: sentence)
        }
        if url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) || Place(url) == nil {
            return failure("\(shownURL.terminalSafe) is not an http or https URL. Correct it in the app.")
        }
        if method.isEmpty || !method.utf8.allSatisfy(Self.isToken) {
            return failure("'\(method.terminalSafe)' is not an HTTP method. Correct it in the app.")
        }
        for header in headers {
            let isRight =
                !header.name.isEmpty && header.name.utf8.allSatisfy(Self.isToken)
                && !header.value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }
            if !isRight {
                return failure(
                    "The header '\(header.name.terminalSafe)' can't be sent: it has a line break, or no name. "
                        + "Correct it in the app.")
            }
        }
        return nil
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#"(),/:;<=>?@[\]{}""#.utf8.contains(byte)
    }
}
