import LullConditions
import LullControl
import LullHistory
import LullModel

/// A run as the history knows it: its events, its origin and its output.
package struct RunAccount {
    let run: RunID
    package let events: [HistoryEvent]
    /// Nil: nothing, or no longer kept.
    package private(set) var output: RunOutput?
    /// It is under way: more output may come.
    private(set) var isOpen = false

    /// Nil when the history has no such run.
    package init?(_ run: RunID, in history: some History) throws(HistoryError) {
        events = try history.events(matching: HistoryQuery(run: run))
        guard !events.isEmpty else { return nil }
        self.run = run
        output = try history.output(of: run)
    }

    /// Reads the output that the host has and the history does not yet; does nothing where no host has the run open.
    package mutating func lookAtHost(_ folder: String) {
        guard end == nil, let client = try? ControlClient(stateFolder: folder),
            let part = try? client.ask(Ask.Printed(by: run)), !part.isOver
        else { return }
        isOpen = true
        output = RunOutput(part, of: run, at: launch?.time ?? .distantPast)
    }

    var launch: HistoryEvent? { events.last { $0.event == .launched } }
    package var end: HistoryEvent? {
        events.last { $0.event == .completed || $0.event == .failed || $0.event == .interrupted }
    }
    /// Whether its worker or its host ended before it did, perhaps with unread output in its pipes.
    var wasCutOff: Bool {
        switch end?.outcome {
        case .killed, .crashed, .interrupted: true
        case .succeeded, .failed, .expired, .unloadable, .stopped, nil: false
        }
    }
    var provenance: Provenance? { launch?.provenance }
    package var task: TaskIdentifier? { events.lazy.compactMap(\.task).first }

    /// The last successful run of the same task before it: a run that failed is compared with that.
    package func lastGood(in history: some History) throws(HistoryError) -> RunAccount? {
        guard let task, let launch else { return nil }
        let query = HistoryQuery(
            task: task, names: [.completed], until: launch.time, order: .newestFirst, limit: 1)
        guard let run = try history.events(matching: query).first?.run else { return nil }
        return try RunAccount(run, in: history)
    }

    /// The differences from `other`, one a line; measurements that are never the same twice are left out.
    func changes(since other: RunAccount) -> [Change] {
        var changes: [Change] = []
        func compare(_ what: String, _ before: String?, _ after: String?) {
            guard before != after else { return }
            changes.append(Change(what: what, before: before, after: after))
        }
        let (before, after) = (other.provenance, provenance)
        if other.task != task { compare("task", other.task?.text, task?.text) }
        compare("manifest", before?.manifest, after?.manifest)
        if other.task == task, before?.entry != nil, after?.entry != nil {
            compare("settings of the task", before?.entry, after?.entry)
        }
        compare("place", before?.place, after?.place)
        compare("lull", before?.lull, after?.lull)
        compare("plugin's build", before?.plugin?.buildID, after?.plugin?.buildID)
        compare("plugin's SDK", before?.plugin?.sdk, after?.plugin?.sdk)
        compare("ABI", before?.plugin?.abi, after?.plugin?.abi)
        if let before = before?.conditions, let after = after?.conditions {
            compare("external power", Self.word(before.externalPower), Self.word(after.externalPower))
            compare(
                "network", before.network.value?.rawValue ?? "unknown",
                after.network.value?.rawValue ?? "unknown")
            compare("power saving", before.isSavingPower ? "on" : "off", after.isSavingPower ? "on" : "off")
        }
        for name in Set([other, self].flatMap { ($0.launch?.params ?? [:]).keys }).sorted() {
            compare("parameter \(name)", other.launch?.params?[name], launch?.params?[name])
        }
        compare("kind", other.launch?.kind?.rawValue, launch?.kind?.rawValue)
        compare("outcome", other.end?.outcome?.rawValue, end?.outcome?.rawValue)
        return changes
    }

    struct Change: Encodable, Equatable {
        let what: String
        let before: String?
        let after: String?

        var line: String { "\(what): \(before ?? "not recorded") → \(after ?? "not recorded")" }
    }

    private static func word(_ power: Sensed<Bool>) -> String {
        switch power {
        case .known(let isOn): isOn ? "yes" : "no"
        case .unknown: "unknown"
        }
    }
}

extension RunOutput {
    /// The output that the host keeps of an open run.
    package init(_ part: PrintedPart, of run: RunID, at time: WallTime) {
        self.init(
            run: run,
            pieces: part.pieces.map {
                Piece(
                    start: $0.start, stream: OutputChunk.Stream(rawValue: $0.stream) ?? .log, time: time,
                    isShared: $0.isShared, bytes: Array($0.bytes))
            })
    }
}
