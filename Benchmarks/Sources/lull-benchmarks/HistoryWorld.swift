import LullModel

/// Tasks that run every minute, and the events that a host records for them.
struct HistoryWorld {
    static let start = WallTime(seconds: 1_764_000_000)
    private let tasks: Int
    private var minutes = 0
    private var requests: UInt64 = 0
    private var runs: UInt64 = 0
    private var random = SystemRandomNumberGenerator()

    init(tasks: Int) { self.tasks = tasks }

    private static func identifier<Value>(_ make: (String) -> Value?, _ text: String) -> Value {
        guard let value = make(text) else { preconditionFailure("\(text) is an identifier.") }
        return value
    }

    private var app: AppIdentifier { Self.identifier({ AppIdentifier($0) }, "com.example.Command") }

    func task(_ number: Int) -> TaskIdentifier {
        Self.identifier({ TaskIdentifier($0) }, "com.example.Command.nightly_job_\(number)")
    }

    /// The events of a minute; each part is a commit of its own.
    mutating func minute() throws -> [[HistoryEvent]] {
        let time = Self.start + .minutes(minutes)
        var parts: [[HistoryEvent]] = []
        if minutes.isMultiple(of: 60) { parts.append([conditions(at: time)]) }
        let sensed = Conditions(
            externalPower: .known(true), battery: .unknown("no battery in /sys/class/power_supply"),
            network: .known(.unmetered), presence: .known(.idle(since: time - .minutes(minutes % 900))),
            load: Double(Int.random(in: 0...400, using: &random)) / 100,
            cpuPressure: Double(Int.random(in: 0...900, using: &random)) / 10_000, memoryPressure: 0,
            diskFree: 77_637_996_544 - Int64(minutes) * 4096, isSavingPower: false)
        for number in 0..<tasks {
            runs += 1
            requests += 1
            let begin = time + .milliseconds(number * 20)
            parts.append([
                launched(number, at: begin, sensed), submitted(number, at: begin),
            ])
            parts.append([
                ended(number, at: begin + .milliseconds(Int64.random(in: 3...9000, using: &random)))
            ])
        }
        minutes += 1
        return parts
    }

    private func event(_ name: HistoryEvent.Name, _ number: Int, at time: WallTime) -> HistoryEvent {
        var event = HistoryEvent(name, at: time, app: app, task: task(number))
        event.request = RequestID(requests)
        return event
    }

    private func launched(_ number: Int, at time: WallTime, _ conditions: Conditions) -> HistoryEvent {
        var event = event(.launched, number, at: time)
        event.run = RunID(runs)
        event.kind = .processing
        event.occurrence = Occurrence(time: time - .milliseconds(number * 20))
        event.provenance = Provenance(
            manifest: "a8e8f61c7ff91081", place: "/etc/lull/jobs.yaml:\(9 + number)", lull: LullVersion.text,
            plugin: .init(buildID: "32a902a4e77ff1ebd76e8ab443533d2aec88b1a9", sdk: "c", abi: "1.1"),
            conditions: conditions)
        return event
    }

    /// The submit of the next request, recorded with the launch.
    private func submitted(_ number: Int, at time: WallTime) -> HistoryEvent {
        var event = event(.submitted, number, at: time)
        event.request = RequestID(requests + UInt64(tasks))
        event.kind = .processing
        event.origin = .at
        event.earliestBegin = time + .minutes(1)
        event.occurrence = Occurrence(time: time + .minutes(1) - .milliseconds(number * 20))
        return event
    }

    private mutating func ended(_ number: Int, at time: WallTime) -> HistoryEvent {
        let isFailure = Int.random(in: 0..<200, using: &random) == 0
        var event = event(isFailure ? .failed : .completed, number, at: time)
        event.run = RunID(runs)
        event.outcome = isFailure ? .failed : .succeeded
        event.reason = "the command exited with code \(isFailure ? 1 : 0)."
        event.milliseconds = Int64.random(in: 3...9000, using: &random)
        return event
    }

    private mutating func conditions(at time: WallTime) -> HistoryEvent {
        var event = HistoryEvent(.conditions, at: time, app: .host)
        event.milliseconds = 3_600_000
        event.shares = ["external_power": 1, "network": 1, "idle": Double.random(in: 0...1, using: &random)]
        return event
    }
}
