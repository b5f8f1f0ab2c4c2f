import LullCommands
import LullModel
import LullSimulator

/// The output of `lull simulate` for people: each task's launches, how they lie in the weeks, and what they come to.
struct SimulateText {
    let launches: [Rehearsal.Launched]
    let manifest: Manifest
    let start: WallTime
    let days: Int
    let zone: Zone
    /// The sentences about apps that go idle on the way.
    let idle: [String]

    func rendered(for terminal: Terminal) -> String {
        let calendar = SimulateCalendar(start: start, days: days, zone: zone)
        let parts =
            [times.rendered(for: terminal)]
            + ((7...SimulateCalendar.mostDays).contains(days)
                ? [weeks(calendar).rendered(for: terminal) + "\n" + SimulateCalendar.legend + "\n"] : [])
        let sentences = ([count] + idle).flatMap { wrapped($0.terminalSafe, to: terminal.columns) }
        return (parts + [sentences.joined(separator: "\n")]).joined(separator: "\n")
    }

    private var times: Table {
        let phrases = Phrases(now: start, zone: zone)
        var table = Table(header: ["TASK", "LAUNCHES", "WHEN"])
        for task in manifest.tasks {
            let times = launches.filter { $0.task == task.identifier }.map(\.time)
            let shown = times.prefix(12).map(phrases.time).joined(separator: ", ")
            let more = times.count > 12 ? ", and \(times.count - 12) more" : ""
            table.rows.append([
                .init(task.identifier.text), .init(String(times.count)),
                .init(times.isEmpty ? "–" : shown + more),
            ])
        }
        return table
    }

    private func weeks(_ calendar: SimulateCalendar) -> Table {
        var table = Table(header: ["TASK"] + calendar.header)
        for task in manifest.tasks {
            let times = launches.filter { $0.task == task.identifier }.map(\.time)
            table.rows.append([.init(task.identifier.text)] + calendar.cells(of: times).map { .init($0) })
        }
        return table
    }

    private var count: String {
        "\(Phrase.count(launches.count, "launch", "launches")) in \(Phrase.count(days, "day")). Times are in "
            + "the time zone \(zone.name). `--json` lists all of them."
    }
}
