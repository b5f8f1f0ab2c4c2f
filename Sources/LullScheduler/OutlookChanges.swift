import LullModel

/// The smallest change that lets a task run now, and what would let it run by itself.
struct OutlookChanges {
    /// In the order in which they are to be made; empty: nothing has to be done, or nothing helps.
    private(set) var now: [Outlook.Change] = []
    /// Empty: not every closed gate can be taken out of the way for good.
    private(set) var lasting: [Outlook.Change] = []

    init(_ input: GateInput, _ closed: [GateVerdict], isReloadNeeded: Bool) {
        let barring = closed.filter { Self.bars($0.gate, input) }
        now = barring.compactMap { verdict in verdict.remedy.map { Outlook.Change([verdict.gate], $0) } }
        let passed = closed.map(\.gate).filter { gate in !barring.contains { $0.gate == gate } }
        guard barring.count == now.count, !isReloadNeeded else { return }
        if !passed.isEmpty {
            now.append(Outlook.Change(passed, "launch it with `lull launch \(input.task)`"))
        }
        let changes = closed.map { Self.lasting($0, input) }
        if changes.allSatisfy({ $0 != nil }) { lasting = changes.compactMap { $0 } }
    }

    /// What `lull launch` does not pass over.
    private static func bars(_ gate: GateName, _ input: GateInput) -> Bool {
        switch gate {
        case .permitted, .enabled, .shuttingDown: return true
        case .registered:
            guard let record = input.appRecord, record.discovered != nil else { return false }
            return record.stamp == input.stamp && record.trouble == nil
        case .concurrency: return input.isTaskFull
        default: return false
        }
    }

    private static func lasting(_ verdict: GateVerdict, _ input: GateInput) -> Outlook.Change? {
        guard let definition = input.definition else { return nil }
        let file = definition.file ?? input.host.manifestPath
        let place = definition.line > 0 ? "\(file):\(definition.line)" : file
        let requires = definition.requires
        func under(_ key: String, _ does: String) -> Outlook.Change {
            Outlook.Change([verdict.gate], "\(does) `\(key)` under the `requires` of the task at \(place)")
        }
        switch verdict.gate {
        case .network
        where requires.network == .unmetered && input.host.conditions?.network == .known(.metered):
            return Outlook.Change(
                [.network], "set `network: any` under the `requires` of the task at \(place)")
        case .network: return requires.network != nil ? under("network", "take out") : nil
        case .externalPower: return requires.externalPower ? under("external_power", "take out") : nil
        case .battery: return requires.batteryAbove != nil ? under("battery_above", "lower") : nil
        case .idle: return requires.idle == true ? under("idle", "take out") : nil
        case .load: return requires.loadBelow != nil ? under("load_below", "raise") : nil
        case .disk: return requires.diskFree != nil ? under("disk_free", "lower") : nil
        case .window:
            return Outlook.Change([.window], "widen the `windows` of the task at \(place)")
        case .folder: return verdict.remedy.map { Outlook.Change([.folder], $0) }
        case .paused: return verdict.remedy.map { Outlook.Change([.paused], $0) }
        case .quiet: return Outlook.Change([.quiet], "shorten the `quiet` of the task at \(place)")
        case .moment where input.kind == .processing:
            return Outlook.Change([.moment], "set `idle: false` under the `requires` of the task at \(place)")
        case .budget: return Outlook.Change([.budget], "raise `budget` in \(input.host.manifestPath)")
        case .idleApp:
            return input.app.map {
                Outlook.Change([.idleApp], "use the app, or record a use with `lull used \($0.identifier)`")
            }
        case .requested: return Outlook.Change([.requested], "ask for it with `lull submit \(input.task)`")
        default: return nil
        }
    }
}
