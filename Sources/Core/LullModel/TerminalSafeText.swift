extension String {
    /// The text without characters that would control a terminal; texts of plugins may contain them.
    public var terminalSafe: String { terminalSafe(keeping: []) }

    /// The same for text of several lines: newlines and tabs stay.
    public var terminalSafeLines: String { terminalSafe(keeping: ["\n", "\t"]) }

    /// The same for JSON text: control characters are escaped, so that a program reads the same value. Below U+0020 JSON text
    /// has only white space.
    public var terminalSafeJSON: String {
        guard unicodeScalars.contains(where: { $0.value >= 0x20 && Self.steers($0) }) else { return self }
        var out = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.value >= 0x20, Self.steers(scalar) {
                out.append(contentsOf: scalar.escapedInJSON.unicodeScalars)
            } else {
                out.append(scalar)
            }
        }
        return String(out)
    }

    private func terminalSafe(keeping kept: Set<Unicode.Scalar>) -> String {
        guard unicodeScalars.contains(where: Self.steers) else { return self }
        var out = UnicodeScalarView()
        for scalar in unicodeScalars {
            guard Self.steers(scalar), !kept.contains(scalar) else {
                out.append(scalar)
                continue
            }
            // Unicode has symbols for the first 32.
            out.append(
                scalar.value < 0x20
                    ? Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
                    : scalar.value == 0x7F ? "\u{2421}" : "\u{FFFD}")
        }
        return String(out)
    }

    fileprivate static func steers(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            // Marks that change the direction of the text after them.
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}

extension Unicode.Scalar {
    /// Whether it has to be escaped in JSON, because of JSON itself or because it would control a terminal.
    public var isEscapedInJSON: Bool { String.steers(self) }

    /// `\u001b`, for a scalar with at most four hexadecimal digits.
    var escapedInJSON: String {
        let hex = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }
}
