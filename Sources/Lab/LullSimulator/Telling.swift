import LullModel
import LullScheduler

/// One line for each thing that happens, to look for a fault.
extension World.Stimulus {
    var line: String {
        switch self {
        case .manifest: "the manifest is read again"
        case .imported(let events): "\(events.count) events are imported"
        default: "\(self)"
        }
    }
}

extension Event {
    var line: String {
        switch self {
        case .manifestLoaded(let manifest, _): "manifest loaded: \(manifest.tasks.map(\.line))"
        case .conditionsChanged(let conditions): conditions.line
        default: "\(self)"
        }
    }
}

extension TaskDefinition {
    fileprivate var line: String {
        guard let at else { return identifier.text }
        return "\(identifier) at \(at.texts) \(timezone ?? ""), spread \(spread), missed \(missed)"
    }
}

extension Conditions {
    fileprivate var line: String {
        "power \(externalPower), battery \(battery), network \(network), presence \(presence), load \(load), "
            + "disk \(diskFree)"
    }
}

extension Effect {
    var line: String {
        switch self {
        case .record(let event): "record " + event.line
        case .launch(let launch): "launch run \(launch.run) of \(launch.task) as \(launch.kind)"
        case .arm(let deadline):
            "arm \(deadline.wall.map { "\($0.milliseconds) ms" } ?? "never"), "
                + "\(deadline.monotonic.map { "\($0.nanoseconds / 1_000_000) ms" } ?? "never")"
        default: "\(self)"
        }
    }
}

extension HistoryEvent {
    fileprivate var line: String {
        var words = [event.rawValue, (task?.text ?? app.text)]
        if let request { words.append("request \(request)") }
        if let run { words.append("run \(run)") }
        if let outcome { words.append(outcome.rawValue) }
        if let origin { words.append("by \(origin.rawValue)") }
        if let kind { words.append(kind.rawValue) }
        if let earliestBegin { words.append("not before \(earliestBegin.milliseconds) ms") }
        if let occurrence { words.append("for \(occurrence.line)") }
        if let gates { words.append("[\(gates.joined(separator: " "))]") }
        if let transfer { words.append("\(transfer)") }
        if let reason { words.append("(\(reason))") }
        return words.joined(separator: " ")
    }
}

extension Occurrence {
    fileprivate var line: String {
        [
            time.map { "\($0.milliseconds) ms" }, times > 1 ? "\(times) times" : nil,
            boot.map { "boot \($0)" },
            `repeat`.map { "repeat at \($0.milliseconds) ms" },
        ].compactMap(\.self).joined(separator: ", ")
    }
}
