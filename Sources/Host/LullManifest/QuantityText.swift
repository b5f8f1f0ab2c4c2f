/// Sizes (`64KiB`), shares (`20%`) and plain numbers as the manifest writes them.
enum QuantityText {
    private static let units: [(name: String, shift: Int64)] = [
        ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("B", 0),
    ]

    static func size(_ text: String) -> Int64? {
        for unit in units where text.hasSuffix(unit.name) {
            guard let count = DurationText.wholeNumber(Array(text.utf8.dropLast(unit.name.utf8.count))[...]),
                count <= Int64.max >> (unit.shift + 1)
            else { return nil }
            return count << unit.shift
        }
        return nil
    }

    /// In the largest unit that keeps it whole, up to GiB.
    static func size(_ bytes: Int64) -> String {
        for unit in units.reversed() where unit.shift > 0 && unit.shift < 40 && bytes != 0 {
            if bytes & ((1 << unit.shift) - 1) == 0 { return "\(bytes >> unit.shift)\(unit.name)" }
        }
        return "\(bytes)B"
    }

    /// `500MB`, `1 G`, `64kib`, `1.5GiB` in the manifest's writing.
    static func sizeRemedy(for text: String) -> String? {
        let text = text.lowercased().filter { $0 != " " }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let count = Double(digits), count > 0, count < 1e12 else { return nil }
        let shift: Double
        switch text.dropFirst(digits.count) {
        case "b", "bytes": shift = 1
        case "k", "kb", "kib": shift = 1024
        case "m", "mb", "mib": shift = 1_048_576
        case "g", "gb", "gib": shift = 1_073_741_824
        case "t", "tb", "tib": shift = 1_099_511_627_776
        default: return nil
        }
        let bytes = count * shift
        guard bytes < 1e18, bytes == bytes.rounded() else { return nil }
        for unit in units.reversed().dropFirst() where Int64(bytes) % (1 << unit.shift) == 0 {
            return "\(Int64(bytes) >> unit.shift)\(unit.name)"
        }
        return "\(Int64(bytes))B"
    }

    /// 0...1 and beyond, from per cent.
    static func share(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let number = decimal(text.dropLast()) else { return nil }
        return number / 100
    }

    static func shareRemedy(for text: String) -> String? {
        if let number = decimal(text.filter { $0 != " " && $0 != "%" }[...]), number >= 0 {
            if text.contains("%") || number > 1 { return number <= 100 ? "\(plain(number))%" : nil }
            return "\(plain(number * 100))%"
        }
        return nil
    }

    /// For a share of processors, where 100% is one: a small number is a count of cores, a large one perhaps.
    static func coreRemedies(for text: String) -> [String] {
        let digits = text.filter { $0 != " " && $0 != "%" }
        guard let number = decimal(digits[...]), number > 0 else { return [] }
        if text.contains("%") || number > 1000 { return number <= 100_000 ? ["\(plain(number))%"] : [] }
        let cores = "\(plain(number * 100))%"
        return number < 10 ? [cores] : ["\(plain(number))%", cores]
    }

    /// Digits with at most one point between them, and a sign before: no exponent, no `inf`.
    static func decimal(_ text: Substring) -> Double? {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
        guard let first = digits.utf8.first, let last = digits.utf8.last, isDigit(first), isDigit(last),
            digits.utf8.count <= 32,
            digits.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }

    /// Without a fraction where there is none.
    static func plain(_ number: Double) -> String {
        let rounded = (number * 1e6).rounded() / 1e6
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : String(rounded)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
