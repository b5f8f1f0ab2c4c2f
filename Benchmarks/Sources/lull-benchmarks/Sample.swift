/// The results of several rounds of one measurement, in nanoseconds unless stated otherwise.
struct Sample {
    private let sorted: [Double]

    init(_ values: [Double]) {
        precondition(!values.isEmpty, "a sample holds at least one value")
        sorted = values.sorted()
    }

    var median: Double {
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
    var least: Double { sorted.first ?? 0 }
    var most: Double { sorted.last ?? 0 }

    /// Runs `measure` once to warm up and then `rounds` times.
    static func of(_ rounds: Int, _ measure: () throws -> Double) rethrows -> Sample {
        _ = try measure()
        return Sample(try (0..<rounds).map { _ in try measure() })
    }
}
