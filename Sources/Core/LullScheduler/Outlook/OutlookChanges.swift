import LullModel

/// The smallest change that lets a task run now, and the changes that would let it run by itself.
struct OutlookChanges {
    /// In the order in which they are to be made; empty: nothing has to be done, or nothing helps.
    private(set) var now: [Outlook.Change] = []
    /// Empty: not every closed gate can be removed for good.
    private(set) var lasting: [Outlook.Change] = []

    init(_ input: GateInput, _ closed: [GateFinding], isReloadNeeded: Bool) {
        let barring = closed.filter { Self.bars($0.gate, input) }
        now = barring.compactMap { Self.remedy($0, input) }
        let passed = closed.map(\.gate).filter { gate in !barring.contains { $0.gate == gate } }
        guard barring.count == now.count, !isReloadNeeded else { return }
        if !passed.isEmpty {
            now.append(Outlook.Change(passed, "launch it with `lull launch \(input.task)`"))
        }
        let changes = closed.map { Self.lasting($0, input) }
        if changes.allSatisfy({ $0 != nil }) { lasting = changes.compactMap { $0 } }
    }

    /// Whether `lull launch` does not pass over the gate.
    private static func bars(_ gate: GateName, _ input: GateInput) -> Bool {
        switch gate {
        case .permitted, .enabled, .shuttingDown: return true
        case .registered:
            guard let record = input.appRecord, record.discovered != nil else { return false }
            return record.stamp == input.stamp && record.trouble == nil
        case .concurrency: return input.mustWaitForRuns
        case .paused, .idleApp, .requested, .earliestBegin, .network, .externalPower, .battery, .idle, .load,
            .disk, .folder, .window, .quiet, .rateLimit, .budget, .costLimit, .backoff, .fleet, .moment:
            return false
        }
    }

    private static func remedy(_ verdict: GateFinding, _ input: GateInput) -> Outlook.Change? {
        input.words.words(for: verdict.fact).remedy.map { Outlook.Change([verdict.gate], $0) }
    }

    private static func lasting(_ verdict: GateFinding, _ input: GateInput) -> Outlook.Change? {
        guard let definition = input.definition else { return nil }
        let file = definition.file ?? input.host.manifestPath
        let place = definition.line > 0 ? "\(file):\(definition.line)" : file
        switch verdict.gate {
        case .network, .externalPower, .battery, .idle, .load, .disk:
            return definition.requires.conditions.conditions.first { $0.gate == verdict.gate }.map {
                let change = $0.change(in: input.host.conditions)
                return Outlook.Change([$0.gate], "\(change) under the `requires` of the task at \(place)")
            }
        case .window:
            if case .day(.closed(let closure, _)) = verdict.fact {
                return Outlook.Change([.window], "\(closure.change) of the task at \(place)")
            }
            return Outlook.Change([.window], "widen the `windows` of the task at \(place)")
        case .folder, .paused: return remedy(verdict, input)
        case .quiet: return Outlook.Change([.quiet], "shorten the `quiet` of the task at \(place)")
        case .moment:
            guard input.kind == .processing else { return nil }
            return Outlook.Change([.moment], "set `idle: false` under the `requires` of the task at \(place)")
        case .budget: return Outlook.Change([.budget], "raise `budget` in \(input.host.manifestPath)")
        case .costLimit:
            return Outlook.Change(
                [.costLimit], "raise `cost_limit` in \(input.app?.file ?? input.host.manifestPath)")
        case .idleApp:
            return input.app.map {
                Outlook.Change([.idleApp], "use the app, or record a use with `lull used \($0.identifier)`")
            }
        case .requested: return Outlook.Change([.requested], "ask for it with `lull submit \(input.task)`")
        // Nothing in the manifest opens them for good.
        case .permitted, .registered, .enabled, .earliestBegin, .rateLimit, .backoff, .concurrency,
            .fleet, .shuttingDown:
            return nil
        }
    }
}
