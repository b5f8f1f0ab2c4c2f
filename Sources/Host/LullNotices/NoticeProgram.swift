import LullModel

/// The program that delivers a notice to its sink, and its input. The host itself speaks to no sink but the journal.
struct NoticeProgram {
    let words: [String]
    let input: String
    var variables: [(name: String, value: String)] = []
    /// Whether it prints the HTTP status of the answer.
    var printsStatus = false

    /// The paths at which sendmail(8) may be.
    static let sendmail = ["/usr/sbin/sendmail", "/usr/lib/sendmail", "/usr/bin/sendmail"]
    static let curl = "curl"
    /// The time limit of a sink.
    static let limit: Duration = .seconds(30)

    /// Nil for the journal, which is a datagram.
    init?(_ message: NoticeMessage, to target: NoticeSink.Target, sendmail: String, desktop: [String] = []) {
        switch target {
        case .journal: return nil
        case .mail(let address):
            self.init(
                words: [sendmail, "-t", "-oi"], input: MailMessage(to: address, message: message).text)
        case .command(let words):
            self.init(words: words, input: message.json + "\n", variables: message.variables)
        // It gets the texts as input: everybody may read its arguments.
        case .desktop: self.init(words: desktop, input: DesktopNotice(message).json + "\n")
        case .webhook(let url): self.init(posting: message.json, to: url)
        }
    }

    init(words: [String], input: String, variables: [(name: String, value: String)] = []) {
        self.words = words
        self.input = input
        self.variables = variables
    }

    /// curl gets the URL and the content as input: everybody may read its arguments.
    init(posting json: String?, to url: String, headers: [String] = [], tries: Int = 1) {
        var lines = ["url = \(Self.quoted(url))", "user-agent = \"lull/\(LullVersion.text)\""]
        for header in headers { lines.append("header = \(Self.quoted(header))") }
        if let json {
            lines.append("header = \"Content-Type: application/json\"")
            lines.append("data-binary = \(Self.quoted(json))")
        }
        self.init(
            words: [
                Self.curl, "-q", "--silent", "--show-error", "--fail", "--max-time", "25",
                "--connect-timeout",
                "10", "--proto", "=https,http", "--output", "/dev/null", "--write-out", "%{http_code}",
                // The answer is not read, and a server may send it without end.
                "--limit-rate", "1M",
                // A redirected receiver gets the same method, and HTTPS stays HTTPS.
                "--location", "--max-redirs", "3", "--post301", "--post302", "--proto-redir",
                url.hasPrefix("https:") ? "=https" : "=https,http", "--config", "-",
                "--retry", "\(tries - 1)", "--retry-delay", "3", "--retry-connrefused",
            ], input: lines.joined(separator: "\n") + "\n")
        printsStatus = true
    }

    /// Quotes a text for a configuration of curl.
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
