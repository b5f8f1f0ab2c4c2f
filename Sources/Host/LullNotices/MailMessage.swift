/// A notice as sendmail(8) takes it with `-t`: headers, an empty line, and a body that any relay lets through.
///
/// Each header is one line of printable ASCII, whatever it was made from: nothing that a plugin prints adds a header
/// or a recipient.
struct MailMessage {
    let to: String
    let message: NoticeMessage

    var text: String {
        var lines = [
            "To: \(Self.ascii(to))", "Subject: \(Self.encodedWords(message.subject))",
            "Message-ID: <lull.\(message.notice.id).\(message.notice.time.milliseconds)@\(hostLabel)>",
            "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
            "X-Lull-Kind: \(message.notice.kind.rawValue)", "X-Lull-App: \(message.notice.app)",
        ]
        if let task = message.notice.task { lines.append("X-Lull-Task: \(task)") }
        return lines.joined(separator: "\n") + "\n\n" + Self.quotedPrintable(message.body)
    }

    /// The same notice sent twice bears one identifier: a reader may drop the second.
    private var hostLabel: String {
        let label = message.host.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-")
        }
        return label.isEmpty ? "localhost" : label
    }

    private static func ascii(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 > 0x1F && $0 < 0x7F }, as: UTF8.self)
    }

    /// As RFC 2047 has it, in words of at most 75 characters, where there is anything but printable ASCII.
    static func encodedWords(_ text: String) -> String {
        let line = NoticeMessage.line(text)
        // A word that looks encoded already would be decoded.
        let isPlain = line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !line.contains("=?")
        if isPlain, line.utf8.count <= 200 { return line }
        var words: [String] = []
        var word = ""
        for character in line {
            let encoded = character.utf8.map { byte in
                let isSafe =
                    byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A
                    || byte >= 0x61 && byte <= 0x7A
                return isSafe ? String(Unicode.Scalar(byte)) : byte == 0x20 ? "_" : "=" + hex(byte)
            }.joined()
            if word.utf8.count + encoded.utf8.count > 60 {
                words.append(word)
                word = ""
            }
            word += encoded
        }
        words.append(word)
        return words.map { "=?utf-8?Q?\($0)?=" }.joined(separator: "\n ")
    }

    /// As RFC 2045 has it: lines of at most 76 characters.
    static func quotedPrintable(_ text: String) -> String {
        var out = ""
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            var length = 0
            let bytes = Array(line.utf8)
            for (index, byte) in bytes.enumerated() {
                let isLast = index == bytes.count - 1
                let isPlain = byte >= 0x21 && byte < 0x7F && byte != 0x3D
                let isSpace = (byte == 0x20 || byte == 0x09) && !isLast
                var piece = isPlain || isSpace ? String(Unicode.Scalar(byte)) : "=" + hex(byte)
                if length + piece.utf8.count > 75 {
                    out += "=\n"
                    length = 0
                }
                // A dot alone would end the message, and "From " begin another; where a line was broken too.
                if length == 0, byte == 0x2E || byte == 0x46 { piece = "=" + hex(byte) }
                out += piece
                length += piece.utf8.count
            }
            out += "\n"
        }
        return out
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
