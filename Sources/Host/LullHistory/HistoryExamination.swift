public import LullModel

/// When all of a history was looked at last, and what was found.
///
/// A start looks for broken pages, unless the file is as it was closed. That an index tells of other rows than its
/// table, which only a full look finds, makes questions go wrong and loses no record: the tables are the history, and
/// the indices are made of them.
public struct HistoryExamination: Sendable, Equatable {
    public var time: WallTime
    /// What SQLite said of the indices that were made anew; nil: all was as it should be.
    public var finding: String?

    public init(time: WallTime, finding: String? = nil) {
        self.time = time
        self.finding = finding
    }

    /// Nil where there is nothing to say.
    public var sentence: String? {
        finding.map {
            "On \(time.rfc3339) an index of the history did not agree with its table (\($0)). All indices were made anew "
                + "from the tables, and no record is lost. Lull alone does not do that to a file: look at the disk and "
                + "at the machine's memory."
        }
    }

    /// As it stands in the database.
    var memo: String { time.rfc3339 + (finding.map { " " + $0 } ?? "") }

    init?(memo: String) {
        let parts = memo.split(separator: " ", maxSplits: 1)
        guard let time = parts.first.flatMap({ WallTime(rfc3339: String($0)) }) else { return nil }
        self.init(time: time, finding: parts.count > 1 ? String(parts[1]) : nil)
    }
}
