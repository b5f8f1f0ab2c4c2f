public import LullModel

/// The last full check of a history, and its finding.
///
/// A start looks for broken pages, unless the file is as it was closed. Only a full check finds an index that does not
/// agree with its table. Such an index makes queries go wrong but loses no record: indices are made from the tables.
public struct HistoryExamination: Sendable, Equatable {
    public var time: WallTime
    /// SQLite's first message about the indices that were made anew; nil if nothing was wrong.
    public var finding: String?

    public init(time: WallTime, finding: String? = nil) {
        self.time = time
        self.finding = finding
    }

    /// The finding as a sentence for people; nil if there is none.
    public var sentence: String? {
        finding.map {
            "On \(time.rfc3339) an index of the history did not agree with its table (\($0)). All indices were rebuilt "
                + "from the tables, and no record is lost. Lull does not damage a file like that: check the disk and "
                + "the machine's memory."
        }
    }

    /// The form in which the database holds it.
    var memo: String { time.rfc3339 + (finding.map { " " + $0 } ?? "") }

    init?(memo: String) {
        let parts = memo.split(separator: " ", maxSplits: 1)
        guard let time = parts.first.flatMap({ WallTime(rfc3339: String($0)) }) else { return nil }
        self.init(time: time, finding: parts.count > 1 ? String(parts[1]) : nil)
    }
}
