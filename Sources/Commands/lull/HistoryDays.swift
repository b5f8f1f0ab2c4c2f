import LullCommands
import LullHistory
import LullModel

/// The runs of each task on each day, as a table or as JSON.
struct HistoryDays {
    private let days: [HistoryDay]

    init(_ days: [HistoryDay]) { self.days = days }

    func show(asJSON: Bool) throws {
        guard !asJSON else { return try Output.json(days.map(Figures.init)) }
        guard !days.isEmpty else { return Output.answer("No task has run in that time.") }
        var table = Table(header: ["DAY (UTC)", "TASK", "RUNS", "SUCCEEDED", "FAILED", "MEAN TIME"])
        for day in days {
            let ended = day.succeeded + day.failed
            table.rows.append([
                .init(Self.date(day.day)), .init(day.task.text), .init("\(day.launched)"),
                .init("\(day.succeeded)"), .init("\(day.failed)", day.failed > 0 ? .red : nil),
                .init(ended == 0 ? "–" : Phrase.about(.milliseconds(day.milliseconds / Int64(ended)))),
            ])
        }
        Output.answer(styled: table.rendered(for: .output))
    }

    private static func date(_ day: WallTime) -> String { String(day.rfc3339.prefix(10)) }

    private struct Figures: Encodable {
        let day: String
        let app: String
        let task: String
        let launchedCount: Int
        let succeededCount: Int
        let failedCount: Int
        /// The time of all its runs.
        let ms: Int64

        init(_ day: HistoryDay) {
            self.day = HistoryDays.date(day.day)
            app = day.app.text
            task = day.task.text
            launchedCount = day.launched
            succeededCount = day.succeeded
            failedCount = day.failed
            ms = day.milliseconds
        }
    }
}
