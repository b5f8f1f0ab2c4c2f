import ArgumentParser
import LullCommands
import LullManifest
import LullModel
import LullSimulator

/// Events of `on` in what is simulated: as they came last week, and as often as an operator says.
enum SimulatedEvents {
    /// `TASK=30m`.
    struct Rate {
        let triggers: [Trigger]
        let span: Duration

        init(_ text: String, _ manifest: Manifest) throws {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let span = SpanArgument(argument: String(parts[1]))?.span
            else { throw ValidationError("--event is TASK=SPAN, such as com.example.Inbox.scan=30m.") }
            guard let task = manifest.tasks.first(where: { $0.identifier.text == parts[0] }) else {
                throw ValidationError("--event: \(parts[0]) is not in \(manifest.path).")
            }
            triggers = task.on.filter { $0.kind != .after }
            self.span = span
            guard !triggers.isEmpty else {
                throw ValidationError("--event: \(parts[0]) has no `on` but other tasks' ends.")
            }
        }

        func entries(from start: WallTime, days: Int) -> [World.Entry] {
            let count = min(100_000, Int(Duration.days(days).milliseconds / max(1, span.milliseconds)))
            guard count > 0 else { return [] }
            return (1...count).flatMap { number in
                triggers.map { World.Entry(start + span * number, .happened($0)) }
            }
        }
    }

    /// Last week's events, again in each week that is simulated.
    static func again(
        _ events: [HistoryEvent], _ manifest: Manifest, from start: WallTime, days: Int
    ) -> [World.Entry] {
        (1...(days / 7 + 1)).flatMap { World.happenings(events, manifest, later: .days(7 * $0)) }
            .filter { $0.time > start }
    }
}
