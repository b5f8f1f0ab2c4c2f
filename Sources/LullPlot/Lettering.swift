/// How wide text is, as far as it can be known without the font: rather too wide than too narrow.
///
/// The charts name generic families alone, so the width is estimated for the widest of the usual sans-serif fonts.
enum Lettering {
    /// In the unit of `size`.
    static func width(_ text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + share(of: $1) } * size
    }

    private static func share(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "l", "j", "I", ".", ",", ":", ";", "|", "!", "'", " ", "·", "(", ")", "[", "]": 0.4
        case "m", "w", "M", "W", "%", "@": 0.98
        case "A"..."Z", "–", "+", "=", "<", ">", "→": 0.8
        case "—", "…": 1
        case _ where scalar.value >= 0x2E80: 1.1
        default: 0.65
        }
    }

    /// The text, or as much of it as fits with "…".
    static func fitted(_ text: String, size: Double, width limit: Double) -> String {
        guard width(text, size: size) > limit else { return text }
        var short = text
        while !short.isEmpty, width(short + "…", size: size) > limit { short.removeLast() }
        while short.last == " " { short.removeLast() }
        return short + "…"
    }

    /// Lines of whole words; a word that is longer than a line is shortened.
    static func wrapped(_ text: String, size: Double, width limit: Double) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if !line.isEmpty, width(longer, size: size) > limit {
                lines.append(line)
                line = String(word)
            } else {
                line = longer
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { fitted($0, size: size, width: limit) }
    }
}
