import Testing

/// A strict reader of OpenMetrics 1.0, which refuses what the specification forbids.
struct OpenMetricsReader {
    struct Sample: Equatable {
        var name: String
        var labels: [String: String]
        var value: Double
    }
    struct Family {
        var name: String
        var type: String
        var unit: String?
        var help: String?
        var samples: [Sample] = []
    }
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    private(set) var families: [Family] = []

    init(_ text: String) throws {
        guard text.hasSuffix("# EOF\n") else { throw Fault(description: "It does not end with # EOF.") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        for (index, line) in lines.enumerated() {
            if line == "# EOF" {
                guard index == lines.count - 1 else { throw Fault(description: "Something follows # EOF.") }
            } else if line.hasPrefix("# ") {
                try metadata(line)
            } else {
                try sample(line)
            }
        }
        for family in families { try Self.check(family) }
    }

    private mutating func metadata(_ line: String) throws {
        let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard parts.count >= 3, Self.isName(parts[2]) else {
            throw Fault(description: "no metadata: \(line)")
        }
        if families.last?.name != parts[2] {
            guard parts[1] == "TYPE", !families.contains(where: { $0.name == parts[2] }) else {
                throw Fault(description: "a family begins with its type, once: \(line)")
            }
            families.append(Family(name: parts[2], type: parts[3]))
            return
        }
        let last = families.count - 1
        guard families[last].samples.isEmpty else {
            throw Fault(description: "metadata after samples: \(line)")
        }
        switch parts[1] {
        case "UNIT":
            guard families[last].unit == nil, parts[2].hasSuffix("_" + parts[3]) else {
                throw Fault(description: "not the name's unit: \(line)")
            }
            families[last].unit = parts[3]
        case "HELP" where families[last].help == nil: families[last].help = parts.count > 3 ? parts[3] : ""
        default: throw Fault(description: "not understood, or twice: \(line)")
        }
    }

    private mutating func sample(_ line: String) throws {
        let scalars = Array(line.unicodeScalars)
        var place = 0
        func word(until stops: String) -> String {
            var text = ""
            while place < scalars.count, !stops.unicodeScalars.contains(scalars[place]) {
                text.unicodeScalars.append(scalars[place])
                place += 1
            }
            return text
        }
        let name = word(until: "{ ")
        guard Self.isName(name) else { throw Fault(description: "no name: \(line)") }
        var labels: [String: String] = [:]
        if place < scalars.count, scalars[place] == "{" {
            repeat {
                place += 1
                let label = word(until: "=")
                place += 1
                guard Self.isLabel(label), place < scalars.count, scalars[place] == "\"", labels[label] == nil
                else {
                    throw Fault(description: "no label, or twice: \(line)")
                }
                place += 1
                labels[label] = try Self.value(scalars, &place, line)
            } while place < scalars.count && scalars[place] == ","
            guard place < scalars.count, scalars[place] == "}" else {
                throw Fault(description: "no end: \(line)")
            }
            place += 1
        }
        guard place < scalars.count, scalars[place] == " " else {
            throw Fault(description: "no value: \(line)")
        }
        place += 1
        let rest = word(until: "")
        guard let value = rest == "+Inf" ? Double.infinity : Double(rest), !rest.contains(" ") else {
            throw Fault(description: "no number: \(line)")
        }
        let sample = Sample(name: name, labels: labels, value: value)
        guard let family = families.indices.last, name.hasPrefix(families[family].name) else {
            throw Fault(description: "of no family, or of another than the last: \(line)")
        }
        guard !families[family].samples.contains(where: { $0.name == name && $0.labels == labels }) else {
            throw Fault(description: "twice: \(line)")
        }
        families[family].samples.append(sample)
    }

    private static func value(_ scalars: [Unicode.Scalar], _ place: inout Int, _ line: String) throws
        -> String
    {
        var text = ""
        while place < scalars.count, scalars[place] != "\"" {
            if scalars[place] == "\\" {
                place += 1
                guard place < scalars.count, "\\\"n".unicodeScalars.contains(scalars[place]) else {
                    throw Fault(description: "no escape: \(line)")
                }
                text.unicodeScalars.append(scalars[place] == "n" ? "\n" : scalars[place])
            } else {
                text.unicodeScalars.append(scalars[place])
            }
            place += 1
        }
        guard place < scalars.count else { throw Fault(description: "an open quote: \(line)") }
        place += 1
        return text
    }

    private static func check(_ family: Family) throws {
        let suffixes: [String: Set<String>] = [
            "counter": ["_total"], "gauge": [""], "info": ["_info"],
            "histogram": ["_bucket", "_count", "_sum"],
        ]
        guard let permitted = suffixes[family.type] else {
            throw Fault(description: "no type: \(family.type)")
        }
        for sample in family.samples {
            let suffix = String(sample.name.dropFirst(family.name.count))
            guard permitted.contains(suffix) else {
                throw Fault(description: "\(sample.name) of a \(family.type)")
            }
            if family.type != "gauge", sample.value < 0 {
                throw Fault(description: "\(sample.name) is negative")
            }
            if family.type == "info", sample.value != 1 {
                throw Fault(description: "\(sample.name) is not 1")
            }
            guard (suffix == "_bucket") == (sample.labels["le"] != nil) else {
                throw Fault(description: "le is of buckets alone: \(sample.name)")
            }
        }
        if family.type == "histogram" { try checkBuckets(family) }
    }

    private static func checkBuckets(_ family: Family) throws {
        var buckets: [[String: String]: [(bound: Double, count: Double)]] = [:]
        for sample in family.samples where sample.name.hasSuffix("_bucket") {
            var labels = sample.labels
            let le = labels.removeValue(forKey: "le") ?? ""
            guard let bound = le == "+Inf" ? .infinity : Double(le) else {
                throw Fault(description: "le=\(le)")
            }
            buckets[labels, default: []].append((bound, sample.value))
        }
        for (labels, series) in buckets {
            let sorted = zip(series, series.dropFirst()).allSatisfy {
                $0.bound < $1.bound && $0.count <= $1.count
            }
            let count = family.samples.first { $0.name == family.name + "_count" && $0.labels == labels }
            guard sorted, series.last?.bound == .infinity, series.last?.count == count?.value else {
                throw Fault(description: "the buckets of \(labels) do not add up")
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil
    }
    private static func isLabel(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]*/) != nil
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        for family in families {
            if let sample = family.samples.first(where: { $0.name == name && $0.labels == labels }) {
                return sample.value
            }
        }
        return nil
    }
}
