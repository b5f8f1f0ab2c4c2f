import LullModel

extension EventDetails {
    /// Fills the event with packed details; throws if `pack` can't have written them.
    static func unpack(
        _ bytes: [UInt8], into event: inout HistoryEvent, text: @escaping (Int64) throws -> String?
    ) throws {
        var reader = Reader(unpacker: Unpacker(bytes), time: event.time, text: text)
        var label: (title: String?, subtitle: String?, protection: String?)
        while !reader.unpacker.isAtEnd {
            guard let field = Field(rawValue: try reader.unpacker.number()) else { throw Unpacker.Damage() }
            switch field {
            case .kind: event.kind = try reader.word(Kind.init(rawValue:))
            case .origin: event.origin = try reader.word(TaskRequest.Origin.init(rawValue:))
            case .earliestBegin: event.earliestBegin = try reader.moment()
            case .expectedBy: event.expectedBy = try reader.moment()
            case .requires: event.requires = try reader.word(Requirements.init(json:))
            case .gates: event.gates = try reader.string().split(separator: " ").map(String.init)
            case .registered:
                event.registered = try reader.string().split(separator: " ").map { word in
                    guard let task = TaskIdentifier(String(word)) else { throw Unpacker.Damage() }
                    return task
                }
            case .stamp: event.stamp = try reader.string()
            case .price: event.price = try reader.unpacker.double()
            case .budget: event.budget = try reader.unpacker.double()
            case .shares: event.shares = try reader.word { JSONValue(text: $0)?.shares }
            case .title: label.title = try reader.string()
            case .subtitle: label.subtitle = try reader.string()
            case .protection: label.protection = try reader.string()
            case .provenance:
                event.provenance = Provenance(manifest: try reader.string(), place: "", lull: "")
            case .place: event.provenance?.place = try reader.string()
            case .lull: event.provenance?.lull = try reader.string()
            case .entry: event.provenance?.entry = try reader.string()
            case .sdk: event.provenance?.plugin = .init(buildID: nil, sdk: try reader.string(), abi: "")
            case .abi: event.provenance?.plugin?.abi = try reader.string()
            case .build: event.provenance?.plugin?.buildID = try reader.string()
            case .conditions: event.provenance?.conditions = try reader.conditions()
            case .notice: event.notice = try reader.notice()
            case .occurrence: event.occurrence = try reader.occurrence()
            case .triggerEvent:
                event.triggerEvent = try reader.word { JSONValue(text: $0).flatMap(TriggerEvent.init(json:)) }
            case .push: event.push = try reader.push()
            case .said:
                event.notice?.said = try reader.word { JSONValue(text: $0).flatMap(NoticeText.init(json:)) }
            case .notification:
                event.notification = try reader.word {
                    JSONValue(text: $0).flatMap(NotificationAct.init(json:))
                }
            case .transfer:
                event.transfer = try reader.word { JSONValue(text: $0).flatMap(TransferNote.init(json:)) }
            case .absence: event.absence = try reader.word(AbsenceCause.init(rawValue:))
            case .attempt: event.attempt = Attempt(try reader.small(), of: try reader.small())
            case .cost: event.cost = try reader.cost()
            case .exitCode: event.exitCode = UInt8(clamping: try reader.small())
            case .slot: event.slot = try reader.word { JSONValue(text: $0).flatMap(SlotNote.init(json:)) }
            }
        }
        event.label = RequestLabel(title: label.title, subtitle: label.subtitle, protection: label.protection)
    }

    private struct Reader {
        var unpacker: Unpacker
        let time: WallTime
        let text: (Int64) throws -> String?

        mutating func string() throws -> String {
            switch try unpacker.name() {
            case .text(let text): return text
            case .number(let number):
                guard let text = try text(number) else { throw Unpacker.Damage() }
                return text
            }
        }

        mutating func word<Value>(_ make: (String) -> Value?) throws -> Value {
            guard let value = make(try string()) else { throw Unpacker.Damage() }
            return value
        }

        mutating func moment() throws -> WallTime {
            WallTime(recorded: time.milliseconds &+ (try unpacker.signed()))
        }

        mutating func isThere() throws -> Bool {
            switch try unpacker.number() {
            case 0: return false
            case 1: return true
            default: throw Unpacker.Damage()
            }
        }

        mutating func sensed<Value>(_ known: (inout Self) throws -> Value) throws -> Sensed<Value> {
            try isThere() ? .known(known(&self)) : .unknown(string())
        }

        mutating func conditions() throws -> Conditions {
            let power = try sensed { try $0.isThere() }
            let battery = try sensed { try $0.unpacker.double() }
            let network = try sensed { reader in
                let place = try reader.unpacker.number()
                guard place < UInt64(EventDetails.networks.count) else { throw Unpacker.Damage() }
                return EventDetails.networks[Int(place)]
            }
            let presence = try sensed { reader -> Conditions.Presence in
                try reader.isThere() ? .idle(since: reader.moment()) : .active
            }
            let load = try unpacker.double()
            let cpu = try isThere() ? unpacker.double() : nil
            let memory = try isThere() ? unpacker.double() : nil
            return Conditions(
                externalPower: power, battery: battery, network: network, presence: presence, load: load,
                cpuPressure: cpu, memoryPressure: memory, diskFree: try unpacker.signed(),
                isSavingPower: try isThere())
        }

        mutating func count() throws -> Int {
            guard let count = Int(exactly: try unpacker.signed()) else { throw Unpacker.Damage() }
            return count
        }

        /// A count of at most 1000.
        mutating func small() throws -> Int {
            let number = try unpacker.number()
            guard number <= 1000 else { throw Unpacker.Damage() }
            return Int(number)
        }

        mutating func cost() throws -> RunCost {
            var cost = RunCost(sharers: try small())
            for (_, path) in RunCost.figures {
                let number = try unpacker.number()
                cost[keyPath: path] = number == 0 ? nil : Int64(clamping: number - 1)
            }
            return cost
        }

        mutating func notice() throws -> NoticeNote {
            let id = try unpacker.number()
            let kind = try word(NoticeKind.init(rawValue:))
            let state = try word(NoticeNote.State.init(rawValue:))
            let sink = try string()
            let attempt = try isThere() ? count() : nil
            let covers = try isThere() ? count() : nil
            return NoticeNote(id: id, kind: kind, sink: sink, state: state, attempt: attempt, covers: covers)
        }

        mutating func push() throws -> PushNote {
            guard let merged = Int(exactly: try unpacker.number()) else { throw Unpacker.Damage() }
            let isUrgent = try isThere()
            let source = try word(Push.Source.init(rawValue:))
            let payload = try isThere() ? string() : nil
            return PushNote(payload: payload, merged: merged, isUrgent: isUrgent, source: source)
        }

        mutating func occurrence() throws -> Occurrence {
            let time = try isThere() ? moment() : nil
            let `repeat` = try isThere() ? moment() : nil
            let times = try count()
            let boot = try isThere() ? string() : nil
            guard let occurrence = Occurrence(time: time, times: times, boot: boot, repeat: `repeat`) else {
                throw Unpacker.Damage()
            }
            return occurrence
        }
    }
}
