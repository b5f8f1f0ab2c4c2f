private import Glibc

/// Whether a source of use names a regular expression and a time format that can be used.
enum ExpressionCheck {
    static let byteLimit = 1024
    /// glibc expands repetitions, and `{…}` inside `{…}` to their product.
    static let repetitionLimit = 1000

    static func problem(with expression: String) -> UsageProblem? {
        guard expression.utf8.count <= byteLimit else { return .expressionTooLong(limit: byteLimit) }
        guard repetitions(in: Array(expression.utf8)) <= repetitionLimit else {
            return .expressionTooGreedy(limit: repetitionLimit)
        }
        var compiled = regex_t()
        let code = regcomp(&compiled, expression, REG_EXTENDED | REG_NOSUB)
        guard code != 0 else {
            regfree(&compiled)
            return nil
        }
        var words = [CChar](repeating: 0, count: 128)
        regerror(code, &compiled, &words, words.count)
        let text = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return .badExpression(expression, words: text.prefix(1).lowercased() + text.dropFirst())
    }

    /// The product of the upper bounds of all `{…}`; it is too high for bounds that are not nested, which does no harm.
    private static func repetitions(in bytes: [UInt8]) -> Int {
        var product = 1
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "{") {
            let bounds = bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "}") }
            let numbers = bounds.split(separator: UInt8(ascii: ",")).compactMap(DurationText.wholeNumber)
            product *= Int(max(1, min(numbers.max() ?? 1, 100_000)))
            if product > repetitionLimit { break }
        }
        return product
    }

    /// The problem of a strptime format: an unknown conversion, or too few conversions to tell an instant.
    static func problem(withTime format: String) -> UsageProblem? {
        var told: Set<Unicode.Scalar> = []
        var rest = Array(format.unicodeScalars)[...]
        while let percent = rest.firstIndex(of: "%") {
            var conversion = rest[(percent + 1)...]
            while let first = conversion.first, "EO-_0^#".unicodeScalars.contains(first) {
                conversion = conversion.dropFirst()
            }
            guard let letter = conversion.first,
                "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%".unicodeScalars.contains(letter)
            else {
                let shown = "%" + String(String.UnicodeScalarView(rest[(percent + 1)...].prefix(1)))
                return .timeConversion(shown, in: format)
            }
            told.insert(letter)
            rest = conversion.dropFirst()
        }
        func tells(_ letters: String) -> Bool { letters.unicodeScalars.contains(where: told.contains) }
        if tells("cs") { return nil }
        guard tells("DFjx") || (tells("de") && tells("mbBh")) else { return .timeTellsNoDay(format) }
        guard tells("HkRTXr") || (tells("Il") && tells("pP")) else { return .timeTellsNoHour(format) }
        return nil
    }
}
