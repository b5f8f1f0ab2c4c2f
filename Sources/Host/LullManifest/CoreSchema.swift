import LullModel

/// The types that YAML's core schema gives to scalars without quotes; the manifest uses it in `settings`
/// alone.
enum CoreSchema {
    static func value(_ text: String) -> Result<JSONValue, SettingProblem> {
        switch text {
        case "", "~", "null", "Null", "NULL": return .success(.null)
        case "true", "True", "TRUE": return .success(.bool(true))
        case "false", "False", "FALSE": return .success(.bool(false))
        default: break
        }
        // All other values that are not text begin with one of these.
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else {
            return .success(.string(text))
        }
        switch text.lowercased() {
        case ".nan", ".inf", "-.inf", "+.inf": return .failure(.notANumber(text))
        default: break
        }
        if let number = integer(text) ?? decimal(text) { return number }
        return .success(.string(text))
    }

    private static func integer(_ text: String) -> Result<JSONValue, SettingProblem>? {
        if text.hasPrefix("0x") || text.hasPrefix("0o") {
            let radix = text.hasPrefix("0x") ? 16 : 8
            let digits = text.dropFirst(2)
            guard !digits.isEmpty,
                digits.allSatisfy({ $0.isASCII && $0.hexDigitValue.map { $0 < radix } ?? false })
            else { return nil }
            return Int64(digits, radix: radix).map { .success(.integer($0)) }
                ?? .failure(.numberTooLarge(text))
        }
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
        if digits.utf8.count > 1, digits.utf8.first == UInt8(ascii: "0") {
            let decimal = digits.drop { $0 == "0" }
            return .failure(
                .leadingZero(
                    text, decimal: (text.hasPrefix("-") ? "-" : "") + (decimal.isEmpty ? "0" : decimal)))
        }
        return Int64(text).map { .success(.integer($0)) } ?? .failure(.numberTooLarge(text))
    }

    /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
    private static func decimal(_ text: String) -> Result<JSONValue, SettingProblem>? {
        var rest = Substring(text).utf8
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            rest = rest.dropFirst()
        }
        let whole = rest.prefix(while: isDigit).count
        rest = rest.dropFirst(whole)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(fraction)
        }
        guard whole + fraction > 0 else { return nil }
        if let e = rest.first, e == UInt8(ascii: "e") || e == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                rest = rest.dropFirst()
            }
            let digits = rest.prefix(while: isDigit).count
            guard digits > 0 else { return nil }
            rest = rest.dropFirst(digits)
        }
        guard rest.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else { return .failure(.numberTooLarge(text)) }
        return .success(.number(number))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
