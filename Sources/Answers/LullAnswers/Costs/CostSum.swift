import LullModel

/// What several runs cost together.
///
/// A run whose cost is unknown is counted as such: no sum stands in for it.
public struct CostSum: Sendable, Equatable {
    /// Ended runs.
    public private(set) var runs = 0
    /// Those of them whose time on the processors is known.
    public private(set) var known = 0
    /// Milliseconds.
    public private(set) var processor: Int64 = 0
    /// Bytes: the highest peak of one run.
    public private(set) var peak: Int64?
    /// Bytes from and to storage.
    public private(set) var read: Int64?
    public private(set) var written: Int64?

    public init() {}

    public var unknown: Int { runs - known }
    /// The mean of the known runs; nil: there are none.
    public var mean: Int64? { known == 0 ? nil : processor / Int64(known) }

    mutating func add(_ cost: RunCost?) {
        runs += 1
        guard let cost else { return }
        if let time = cost.processor {
            known += 1
            processor = Self.sum(processor, time)
        }
        peak = [peak, cost.memory].compactMap(\.self).max()
        if let bytes = cost.read { read = Self.sum(read ?? 0, bytes) }
        if let bytes = cost.written { written = Self.sum(written ?? 0, bytes) }
    }

    /// An imported history may hold any number.
    private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
        let (sum, isTooMuch) = a.addingReportingOverflow(b)
        return isTooMuch ? .max : sum
    }
}
