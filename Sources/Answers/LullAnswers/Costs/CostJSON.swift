import LullModel

/// The report as JSON (`docs/openapi.yaml`); figures that are not known are absent.
public struct CostJSON: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        let name: String?
        let hour: Int?
        let share: Double?
        let runCount: Int
        let unknownCount: Int
        let processorMs: Int64?
        let meanProcessorMs: Int64?
        let peakMemoryBytes: Int64?
        let readBytes: Int64?
        let writtenBytes: Int64?

        init(_ row: CostReport.Row, _ share: Double?) {
            (name, hour, self.share) = (row.name, row.hour, share)
            (runCount, unknownCount) = (row.sum.runs, row.sum.unknown)
            processorMs = row.sum.known == 0 ? nil : row.sum.processor
            meanProcessorMs = row.sum.mean
            (peakMemoryBytes, readBytes, writtenBytes) = (row.sum.peak, row.sum.read, row.sum.written)
        }
    }
    struct Run: Encodable, Sendable {
        let run: RunID
        let task: TaskIdentifier
        let ended: String
        let cost: JSONValue
    }

    let since: String
    let groupedBy: String
    /// Up to here runs are missing, because only each day's figures are left of them; absent: none are.
    let thinned: String?
    let runCount: Int
    let unknownCount: Int
    let processorMs: Int64?
    let rows: [Row]
    let runs: [Run]

    public init(_ report: CostReport) {
        since = report.since.rfc3339
        thinned = report.thinned?.rfc3339
        groupedBy = report.grouping.rawValue
        (runCount, unknownCount) = (report.total.runs, report.total.unknown)
        processorMs = report.total.known == 0 ? nil : report.total.processor
        rows = report.rows.map { Row($0, report.share(of: $0)) }
        runs = report.dearest.map {
            Run(run: $0.run, task: $0.task, ended: $0.ended.rfc3339, cost: $0.cost.json)
        }
    }
}
