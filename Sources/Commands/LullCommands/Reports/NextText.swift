import LullModel

/// When a task comes next, in words: for a table's cell and for a sentence.
package struct NextText {
    let next: NextLaunch?
    let phrases: Phrases

    package init(next: NextLaunch?, phrases: Phrases) {
        self.next = next
        self.phrases = phrases
    }

    /// "16:04", "tomorrow 02:30", "after 16:04", "next boot"; empty: a person has to act first, or nobody has requested it.
    package var cell: String {
        switch next {
        case .at(let time): phrases.time(time)
        case .notBefore(let time): "after " + phrases.time(time)
        case .onceOpen: "once open"
        case .afterBoot: "next boot"
        case .onEvent: "on an event"
        case .held, nil: ""
        }
    }

    /// "tomorrow at 02:30, in 10 h 30 min", "after the next boot".
    package var clause: String {
        switch next {
        case .at(let time): "\(phrases.when(time)), \(phrases.relative(time))"
        case .notBefore(let time): "at a good moment after \(phrases.time(time)), \(phrases.relative(time))"
        case .onceOpen: "as soon as every gate is open"
        case .afterBoot: "after the next boot of this machine"
        case .onEvent: "when something happens that its `on` names"
        case .held(let gate): Self.words(ofHeld: gate)
        case nil: "nobody has asked for it"
        }
    }

    private static func words(ofHeld gate: GateName) -> String {
        switch gate {
        case .permitted: "not while the manifest does not permit it"
        case .enabled: "not while it is disabled"
        case .paused: "not while it is paused"
        case .idleApp: "not before its app is used"
        case .registered: "not before its plugin registers a handler"
        case .fleet: "not while this host is drained"
        default: "not while the gate \(gate.rawValue) is closed"
        }
    }
}

/// When a task comes by itself.
struct NextJSON: Encodable {
    /// `at`, `not_before`, `once_open`, `after_boot`, `on_event` or `held`.
    let state: String
    let time: String?
    /// `held`: the gate that a person has to open.
    let gate: GateName?

    init(_ next: NextLaunch) {
        time = next.time?.rfc3339
        var gate: GateName?
        switch next {
        case .at: state = "at"
        case .notBefore: state = "not_before"
        case .onceOpen: state = "once_open"
        case .afterBoot: state = "after_boot"
        case .onEvent: state = "on_event"
        case .held(let held):
            state = "held"
            gate = held
        }
        self.gate = gate
    }
}
