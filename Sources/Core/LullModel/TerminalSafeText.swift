extension String {
    /// The text as a terminal may be shown it: what plugins say may hold characters that would steer it.
    public var terminalSafe: String { terminalSafe(keeping: []) }

    /// The same of text in lines: their ends stay, and tabs.
    public var terminalSafeLines: String { terminalSafe(keeping: ["\n", "\t"]) }

    /// The same of text that is JSON: what would steer a terminal is escaped, so that a program reads the same value. Below U+0020
    /// only line ends and spaces stand in JSON.
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
            // Unicode has pictures of the first 32.
            out.append(
                scalar.value < 0x20
                    ? Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
                    : scalar.value == 0x7F ? "\u{2421}" : "\u{FFFD}")
        }
        return String(out)
    }

    fileprivate static func steers(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            // Marks that turn the direction of what follows them.
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}

extension Unicode.Scalar {
    /// Whether it may not stand in JSON as it is, or would steer the terminal of who looks at it.
    public var isEscapedInJSON: Bool { String.steers(self) }

    /// `\u001b`, of one with at most four hexadecimal digits.
    var escapedInJSON: String {
        let hex = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }
}
