extension String {
    /// The text as a terminal may be shown it: what plugins say may hold characters that would steer it.
    public var harmless: String { harmless(keeping: []) }

    /// The same of text in lines: their ends stay, and tabs.
    public var harmlessLines: String { harmless(keeping: ["\n", "\t"]) }

    private func harmless(keeping kept: Set<Unicode.Scalar>) -> String {
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

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            // Marks that turn the direction of what follows them.
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}
