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

        func timeline(from start: WallTime, days: Int) -> Rehearsal.Timeline {
            let count = min(100_000, Int(Duration.days(days).milliseconds / max(1, span.milliseconds)))
            guard count > 0 else { return [] }
            return (1...count).flatMap { number in
                triggers.map { SimulatedEvents.happens($0, start + span * number) }
            }
        }
    }

    /// Last week's events, again in each week that is simulated.
    static func again(
        _ events: [HistoryEvent], _ manifest: Manifest, from start: WallTime, days: Int
    ) -> Rehearsal.Timeline {
        let stimuli = World.stimuli(events, manifest)
        return (1...(days / 7 + 1)).flatMap { week in
            stimuli.map { happens($0.trigger, $0.time + .days(7 * week)) }
        }.filter { $0.time > start }
    }

    private static func happens(_ trigger: Trigger, _ time: WallTime) -> Rehearsal.Timeline.Element {
        (time, .happened(trigger, TriggerEvent(trigger.kind, at: time)))
    }
}
