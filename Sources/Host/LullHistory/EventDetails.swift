import LullModel

/// The fields that have no column in `events`, packed: the number of a field, then its value, and so on.
///
/// The numbers are part of the file format; new ones are only added. A field without a value is left out.
enum EventDetails {
    enum Field: UInt64 {
        case kind = 1, origin, earliestBegin, expectedBy, requires, gates, registered, stamp, price, budget,
            shares
        case title, subtitle, protection, provenance, place, lull, sdk, abi, build
        case conditions, notice, occurrence, entry, triggerEvent, push, said, notification, transfer, slot,
            absence, attempt, exitCode, cost
    }

    // MARK: - Writing

    /// - Parameters:
    ///   - sentence: maps a text that may repeat to its number, or to itself.
    static func pack(
        _ event: HistoryEvent, sentence: (String) throws -> Name
    ) throws -> [UInt8] {
        var packer = Packer()
        func put(_ field: Field, _ text: String?) throws {
            guard let text else { return }
            packer.put(field.rawValue)
            packer.put(try sentence(EventRow.whole(text)))
        }
        func put(_ field: Field, _ time: WallTime?) {
            guard let time else { return }
            packer.put(field.rawValue)
            packer.put(signed: time.milliseconds &- event.time.milliseconds)
        }
        func put(_ field: Field, _ value: Double?) {
            guard let value else { return }
            packer.put(field.rawValue)
            packer.put(value)
        }
        try put(.kind, event.kind?.rawValue)
        try put(.origin, event.origin?.rawValue)
        put(.earliestBegin, event.earliestBegin)
        put(.expectedBy, event.expectedBy)
        try put(.requires, event.requires?.json.text)
        try put(.gates, event.gates?.joined(separator: " "))
        try put(.registered, event.registered?.map(\.text).joined(separator: " "))
        try put(.stamp, event.stamp)
        put(.price, event.price)
        put(.budget, event.budget)
        try put(.shares, event.shares.map { JSONValue.object(shares: $0).text })
        try put(.title, event.label?.title)
        try put(.subtitle, event.label?.subtitle)
        try put(.protection, event.label?.protection)
        if let provenance = event.provenance {
            try put(.provenance, provenance.manifest)
            try put(.place, provenance.place)
            try put(.lull, provenance.lull)
            try put(.entry, provenance.entry)
            if let plugin = provenance.plugin {
                try put(.sdk, plugin.sdk)
                try put(.abi, plugin.abi)
                try put(.build, plugin.buildID)
            }
            if let conditions = provenance.conditions {
                packer.put(Field.conditions.rawValue)
                try pack(conditions, at: event.time, into: &packer, sentence: sentence)
            }
        }
        if let notice = event.notice {
            packer.put(Field.notice.rawValue)
            try pack(notice, into: &packer, sentence: sentence)
            try put(.said, notice.said?.json.text)
        }
        try put(.notification, event.notification?.json.text)
        if let occurrence = event.occurrence {
            packer.put(Field.occurrence.rawValue)
            try pack(occurrence, at: event.time, into: &packer, sentence: sentence)
        }
        try put(.triggerEvent, event.triggerEvent?.json.text)
        if let push = event.push {
            packer.put(Field.push.rawValue)
            packer.put(UInt64(push.merged))
            packer.put(UInt64(push.isUrgent ? 1 : 0))
            packer.put(try sentence(push.source.rawValue))
            packer.put(UInt64(push.payload == nil ? 0 : 1))
            // Payloads do not repeat, so they get no number.
            if let payload = push.payload { packer.put(Name.text(EventRow.whole(payload))) }
        }
        if let transfer = event.transfer {
            packer.put(Field.transfer.rawValue)
            packer.put(Name.text(EventRow.whole(transfer.json.text)))
        }
        if let slot = event.slot {
            packer.put(Field.slot.rawValue)
            packer.put(Name.text(EventRow.whole(slot.json.text)))
        }
        try put(.absence, event.absence?.rawValue)
        if let attempt = event.attempt {
            packer.put(Field.attempt.rawValue)
            packer.put(UInt64(attempt.number))
            packer.put(UInt64(attempt.most))
        }
        if let code = event.exitCode {
            packer.put(Field.exitCode.rawValue)
            packer.put(UInt64(code))
        }
        if let cost = event.cost {
            packer.put(Field.cost.rawValue)
            packer.put(UInt64(cost.sharers))
            // One more than the figure; 0: unknown.
            for (_, path) in RunCost.figures {
                packer.put(cost[keyPath: path].map { UInt64(clamping: $0) + 1 } ?? 0)
            }
        }
        return packer.bytes
    }

    private static func pack(
        _ conditions: Conditions, at time: WallTime, into packer: inout Packer,
        sentence: (String) throws -> Name
    ) throws {
        func put<Value>(_ sensed: Sensed<Value>, _ known: (Value, inout Packer) -> Void) throws {
            switch sensed {
            case .known(let value):
                packer.put(UInt64(1))
                known(value, &packer)
            case .unknown(let why):
                packer.put(UInt64(0))
                packer.put(try sentence(EventRow.whole(why)))
            }
        }
        func put(_ value: Double?) {
            packer.put(UInt64(value == nil ? 0 : 1))
            if let value { packer.put(value) }
        }
        try put(conditions.externalPower) { $1.put(UInt64($0 ? 1 : 0)) }
        try put(conditions.battery) { $1.put($0) }
        try put(conditions.network) { $1.put(UInt64(networks.firstIndex(of: $0) ?? 0)) }
        try put(conditions.presence) { presence, packer in
            switch presence {
            case .active: packer.put(UInt64(0))
            case .idle(let since):
                packer.put(UInt64(1))
                packer.put(signed: since.milliseconds &- time.milliseconds)
            }
        }
        packer.put(conditions.load)
        put(conditions.cpuPressure)
        put(conditions.memoryPressure)
        packer.put(signed: conditions.diskFree)
        packer.put(UInt64(conditions.isSavingPower ? 1 : 0))
    }

    /// Stored by index; new ones are only added at the end.
    static let networks: [Conditions.Network] = [.none, .metered, .unmetered]

    private static func pack(
        _ notice: NoticeNote, into packer: inout Packer, sentence: (String) throws -> Name
    ) throws {
        packer.put(notice.id)
        for word in [notice.kind.rawValue, notice.state.rawValue, EventRow.whole(notice.sink)] {
            packer.put(try sentence(word))
        }
        for count in [notice.attempt, notice.covers] {
            packer.put(UInt64(count == nil ? 0 : 1))
            if let count { packer.put(signed: Int64(count)) }
        }
    }

    private static func pack(
        _ occurrence: Occurrence, at time: WallTime, into packer: inout Packer,
        sentence: (String) throws -> Name
    ) throws {
        for other in [occurrence.time, occurrence.repeat] {
            packer.put(UInt64(other == nil ? 0 : 1))
            if let other { packer.put(signed: other.milliseconds &- time.milliseconds) }
        }
        packer.put(signed: Int64(occurrence.times))
        packer.put(UInt64(occurrence.boot == nil ? 0 : 1))
        if let boot = occurrence.boot { packer.put(try sentence(EventRow.whole(boot))) }
    }
}
