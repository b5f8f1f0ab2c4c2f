/// One line of the table: a figure, its reference, and its aim.
struct Row {
    let name: String
    let figure: String
    let reference: String
    let ratio: String
    let aim: String

    init(_ name: String, _ figure: String, against reference: String, ratio: String, aim: String) {
        self.name = name
        self.figure = figure
        self.reference = reference
        self.ratio = ratio
        self.aim = aim
    }

    /// A time, against another that was measured in the same run.
    init(
        _ name: String, _ figure: Sample, against reference: (name: String, sample: Sample), aim: String = "–"
    ) {
        self.init(
            name, Figures.spread(figure),
            against: "\(reference.name): \(Figures.time(reference.sample.median))",
            ratio: Figures.ratio(figure.median / reference.sample.median), aim: aim)
    }
}

/// Numbers as a person reads them.
enum Figures {
    static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1000: "\(number(nanoseconds)) ns"
        case ..<1_000_000: "\(number(nanoseconds / 1000)) µs"
        case ..<1_000_000_000: "\(number(nanoseconds / 1_000_000)) ms"
        default: "\(number(nanoseconds / 1_000_000_000)) s"
        }
    }

    /// The median, and the range of the rounds.
    static func spread(_ sample: Sample) -> String {
        "\(time(sample.median)) (\(time(sample.least))–\(time(sample.most)))"
    }

    static func ratio(_ value: Double) -> String { number(value) + " ×" }

    /// The number with three significant digits.
    static func number(_ value: Double) -> String {
        let digits = abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0
        let scale = digits == 2 ? 100.0 : digits == 1 ? 10.0 : 1.0
        let rounded = (value * scale).rounded() / scale
        return digits == 0 ? String(Int(rounded)) : String(rounded)
    }

    static func mebibytes(_ bytes: Double) -> String { number(bytes / 1_048_576) + " MiB" }

    static func grouped(_ count: Int) -> String {
        var text = ""
        for (index, digit) in String(count).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    static func table(_ rows: [Row]) -> String {
        let lines = rows.map { "| \($0.name) | \($0.figure) | \($0.reference) | \($0.ratio) | \($0.aim) |" }
        return (["| what | figure | reference | ratio | aim |", "|---|---|---|---|---|"] + lines).joined(
            separator: "\n")
    }
}
