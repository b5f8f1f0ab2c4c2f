/// Text in the OpenMetrics format, version 1.0: families in order, each with its type, unit and help; ends with `# EOF`.
///
/// It keeps to the rules of the format (names, suffixes, escapes, one family at a time); `MetricsText` says what the
/// figures mean.
public struct OpenMetrics {
    public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    enum Kind: String {
        case counter, gauge, histogram, info
    }

    typealias Labels = [(name: String, value: String)]

    private(set) var lines: [String] = []
    private var family = ""
    private var kind = Kind.gauge

    /// Begins a family. A name with a unit ends in it.
    mutating func family(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
        precondition(unit.map { name.hasSuffix("_" + $0) } ?? true, "The name \(name) ends in its unit.")
        family = name
        self.kind = kind
        lines.append("# TYPE \(name) \(kind.rawValue)")
        if let unit { lines.append("# UNIT \(name) \(unit)") }
        lines.append("# HELP \(name) \(Self.escaped(help))")
    }

    /// A sample of a counter, a gauge or an info.
    mutating func sample(_ labels: Labels = [], _ value: Double) {
        let suffix =
            switch kind {
            case .counter: "_total"
            case .info: "_info"
            case .gauge, .histogram: ""
            }
        put(suffix, labels, value)
    }

    /// A histogram's samples: cumulative counts up to each bound, then all.
    mutating func histogram(_ labels: Labels, bounds: [Double], counts: [UInt64], sum: Double) {
        precondition(counts.count == bounds.count + 1, "Beyond the last bound there is one count more.")
        var seen: UInt64 = 0
        for (index, count) in counts.enumerated() {
            seen += count
            let bound = index < bounds.count ? "\(bounds[index])" : "+Inf"
            put("_bucket", labels + [("le", bound)], Double(seen))
        }
        put("_count", labels, Double(seen))
        put("_sum", labels, sum)
    }

    var text: String { lines.joined(separator: "\n") + "\n# EOF\n" }

    private mutating func put(_ suffix: String, _ labels: Labels, _ value: Double) {
        let inner = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        lines.append(family + suffix + (inner.isEmpty ? "" : "{\(inner)}") + " " + Self.number(value))
    }

    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Whole numbers without a fraction, but for bounds, which have one.
    static func number(_ value: Double) -> String {
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        guard value.isFinite else { return "NaN" }
        guard value == value.rounded(), abs(value) < 1e15 else { return "\(value)" }
        return String(Int64(value))
    }
}
