import LullModel

/// The slots for any host that no host has run: those that expired in a span, and those that are still due at its end.
///
/// No host records centrally why it did not run one: the slot's row has the reason once it has expired. While it is open,
/// the hosts' reports say what holds it back.
enum FleetUnrun {
    /// The most slots of each kind that are read, the newest first, and the most tasks whose hosts are asked for reasons.
    static let (mostSlots, mostTasks) = (500, 10)

    private struct Slots: Decodable { let slots: [SlotStatus] }
    private struct Reports: Decodable { let hosts: [FleetWhy.Host] }

    /// `task`: only of this one. `isCut`: there are more of them.
    static func read(
        of task: TaskIdentifier? = nil, from: WallTime, to: WallTime, now: WallTime,
        withReasons: Bool = false,
        reader: any FleetReader
    ) throws(FleetReadError) -> (slots: [SlotStatus], isCut: Bool) {
        var isCut = false
        var question: [String: JSONValue] = ["target": "", "most": .integer(Int64(mostSlots + 1))]
        question["task"] = task.map { .string($0.text) }
        func ask(_ state: SlotState, _ more: [String: JSONValue]) throws(FleetReadError) -> [SlotStatus] {
            let whole = question.merging(more) { $1 }.merging(["state": .string(state.rawValue)]) { $1 }
            let slots = try reader.ask("slots_1", whole, as: Slots.self).slots
            if slots.count > mostSlots { isCut = true }
            return Array(slots.prefix(mostSlots))
        }
        let expired = try ask(.expired, ["span": .integer(max(0, (now - from).milliseconds))])
            .filter { now - .milliseconds($0.ago) <= to }
        // A slot that is late for a moment is about to be run.
        let late = to - (to - from) * 0.01
        var due = try ask(.open, ["due": true, "newest": true]).filter { $0.slot.nominal <= late }
        if withReasons {
            var reasons: [TaskIdentifier: String] = [:]
            for task in Set(due.map(\.slot.task)).sorted().prefix(mostTasks) {
                reasons[task] = try held(task, reader)
            }
            for index in due.indices {
                let parts = [due[index].reason, reasons[due[index].slot.task]].compactMap { $0 }
                due[index].reason = parts.isEmpty ? nil : parts.joined(separator: "; ")
            }
        }
        return ((expired + due).sorted { $0.slot < $1.slot }, isCut)
    }

    /// What holds a task back on some hosts; nil: none has reported on it.
    private static func held(
        _ task: TaskIdentifier, _ reader: any FleetReader
    ) throws(FleetReadError) -> String? {
        let hosts = try reader.ask("why_1", ["task": .string(task.text), "most": 3], as: Reports.self).hosts
        guard !hosts.isEmpty else { return nil }
        return hosts.map { "\($0.name) (\($0.reason ?? "no gate is closed"))" }.joined(separator: ", ")
    }
}
