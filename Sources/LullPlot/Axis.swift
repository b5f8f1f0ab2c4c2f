/// One axis of a chart: what it measures, and how its values are written.
public struct Axis: Sendable {
    public enum Format: Sendable {
        /// 0.25, 1, 20.
        case number
        /// 0.25 as "25 %".
        case percent
    }

    public var label: String
    public var format: Format
    /// The axis shows at least this much, and more where the data lies outside.
    public var range: ClosedRange<Double>?

    public init(_ label: String, format: Format = .number, showing range: ClosedRange<Double>? = nil) {
        self.label = label
        self.format = format
        self.range = range
    }

    func text(_ value: Double) -> String {
        switch format {
        case .number: Number.text(value, decimals: 4)
        case .percent: Number.text(value * 100, decimals: 2) + " %"
        }
    }

    /// Round values that hold all of `data`, about `count` of them.
    func ticks(for data: [Double], count: Int) -> Ticks {
        let values = (data + (range.map { [$0.lowerBound, $0.upperBound] } ?? [])).filter(\.isFinite)
        return Ticks(from: values.min() ?? 0, to: values.max() ?? 1, count: count)
    }
}

/// Values at which an axis is marked: whole multiples of 1, 2, 2.5 or 5 times a power of ten.
public struct Ticks: Sendable, Equatable {
    public let values: [Double]
    public var first: Double { values.first ?? 0 }
    public var last: Double { values.last ?? 1 }

    /// From the last round value below `low` to the first above `high`, about `count` steps.
    public init(from low: Double, to high: Double, count: Int) {
        let low = min(max(low, -1e9), 1e9)
        var high = min(max(high, low), 1e9)
        if high - low < 1e-3 { high = low + max(1e-3, abs(low)) }
        let rough = (high - low) / Double(max(1, count))
        var power = 1.0
        while power * 10 <= rough { power *= 10 }
        while power > rough { power /= 10 }
        let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? 10 * power
        // What lies within a thousandth of a step on a round value is on it.
        let from = (low / step + 0.001).rounded(.down)
        let to = (high / step - 0.001).rounded(.up)
        values = (0...Int(max(1, to - from))).map { (from + Double($0)) * step }
    }

    /// Where a value lies between the first and the last, 0...1.
    func share(of value: Double) -> Double { (value - first) / (last - first) }
}
