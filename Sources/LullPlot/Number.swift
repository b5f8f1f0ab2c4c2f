/// Numbers as labels and as SVG attributes: decimal, without exponents, no digits that say nothing.
enum Number {
    /// At most `decimals` digits after the point, trailing zeros dropped.
    static func text(_ value: Double, decimals: Int = 2) -> String {
        guard value.isFinite else { return "0" }
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((min(max(value, -1e12), 1e12) * Double(scale)).rounded())
        let whole = scaled.magnitude / scale.magnitude
        let rest = scaled.magnitude % scale.magnitude
        let sign = scaled < 0 ? "-" : ""
        guard rest > 0 else { return sign + String(whole) }
        var digits = String(rest)
        digits = String(repeating: "0", count: decimals - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return sign + String(whole) + "." + digits
    }
}
