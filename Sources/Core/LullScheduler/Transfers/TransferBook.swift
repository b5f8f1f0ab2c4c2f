public import LullModel

/// The transfers of all apps; the fold of the events `transfer`.
///
/// Part of the ledger, so that transfers outlive worker and host. Bounded by the limits of each app.
public struct TransferBook: Sendable, Equatable {
    public private(set) var records: [TransferID: TransferRecord] = [:]
    /// The received parts of transfers that no other transfer resumes yet.
    public private(set) var kept: [TransferID: KeptPart] = [:]
    private var keptCounts: [AppIdentifier: Int] = [:]
    private var shelves: [AppIdentifier: TransferShelf] = [:]
    public internal(set) var next: UInt64 = 1
    /// The highest number that an app has given to one of its transfers.
    public internal(set) var ordinals: [AppIdentifier: UInt64] = [:]
    /// The challenges that apps do not answer.
    private var unanswered: Set<Unanswered> = []

    public init() {}

    public var isEmpty: Bool { next == 1 }

    /// The app's transfers, in the order in which they were asked for.
    public func records(of app: AppIdentifier) -> [TransferRecord] {
        (shelves[app]?.ids ?? []).compactMap { records[$0] }
    }

    /// At most `count` of the app's transfers that were asked for after `after`, of one session if not nil.
    func records(
        of app: AppIdentifier, session: String?, after: TransferID = TransferID(0), atMost count: Int = .max
    ) -> [TransferRecord] {
        let shelf = shelves[app]
        let ids = (session.map { shelf?.sessions[$0]?.ids } ?? shelf?.ids) ?? []
        let first = after.number == .max ? ids.count : ids.place(of: TransferID(after.number + 1))
        return ids.dropFirst(first).prefix(count).compactMap { records[$0] }
    }

    /// Apps that have transfers.
    var apps: Set<AppIdentifier> { Set(shelves.keys) }

    /// All transfers that count against an app's limit: those that it has not taken, and the parts kept for it.
    func count(of app: AppIdentifier) -> Int {
        (shelves[app]?.ids.count ?? 0) + partCount(of: app)
    }

    /// The parts that are kept for the app's later transfers.
    func partCount(of app: AppIdentifier) -> Int { keptCounts[app] ?? 0 }

    /// The bytes of the app's orders and of what servers said.
    func bytes(of app: AppIdentifier) -> Int { shelves[app]?.bytes ?? 0 }

    func glances(of app: AppIdentifier) -> [TransferID: TransferGlance] { shelves[app]?.glances ?? [:] }

    func hasSession(_ session: String, of app: AppIdentifier) -> Bool {
        shelves[app]?.sessions[session] != nil
    }

    func hasDueSessions(of app: AppIdentifier) -> Bool { shelves[app]?.due.isEmpty == false }

    /// The sessions that the app is to be launched for: all of their transfers have ended, or one waits for an answer,
    /// and the app was not launched in vain too often. Sorted, and at most as many as one launch names.
    func dueSessions(of app: AppIdentifier) -> [String] {
        var room = Self.launchBytes
        return (shelves[app]?.due ?? []).sorted().prefix(Self.launchSessions).filter {
            room -= 2 * $0.utf8.count + 3
            return room >= 0
        }
    }

    private static let launchSessions = 100
    private static let launchBytes = 32 << 10

    private mutating func put(_ record: TransferRecord?, for id: TransferID) {
        let old = records[id]
        guard let app = (record ?? old)?.state.app else { return }
        var shelf = shelves.removeValue(forKey: app) ?? TransferShelf()
        shelf.change(old, to: record)
        if !shelf.ids.isEmpty { shelves[app] = shelf }
        records[id] = record
    }

    private mutating func keep(_ part: KeptPart?, for id: TransferID) {
        if let old = kept[id] { keptCounts[old.app, default: 0] -= 1 }
        if let part { keptCounts[part.app, default: 0] += 1 }
        kept[id] = part
    }

    mutating func apply(_ event: HistoryEvent) {
        guard let note = event.transfer else { return }
        let id = note.id
        if id.number >= next, id.number < .max { next = id.number + 1 }
        if case .asked(_, let order) = note { return ask(id, order, event) }
        // A history may be imported: unknown transfers, or another app's, are passed over.
        guard var record = records[id], record.state.app == event.app else { return }
        if case .answered(_, .nobody) = note { noteUnanswered(record.state) }
        record.apply(note, at: event.time, by: event.by, reason: event.reason)
        switch note {
        case .taken, .givenUp:
            put(nil, for: id)
            if case .taken = note, record.launches > 0 { tookInLaunch(record.state) }
            if record.keepsPart {
                keep(KeptPart(app: event.app, stem: record.state.stem, since: event.time), for: id)
            }
        case .asked, .interrupted, .challenged, .answered, .finished, .failed, .cancelled, .paused, .resumed,
            .taking:
            put(record, for: id)
        }
    }

    private mutating func ask(_ id: TransferID, _ order: TransferOrder, _ event: HistoryEvent) {
        var stem = id.number
        if let earlier = order.resumes {
            if let part = kept[earlier], part.app == event.app {
                stem = part.stem
                keep(nil, for: earlier)
            } else if var record = records[earlier], record.state.app == event.app, record.keepsPart {
                stem = record.state.stem
                record.isGoneOnWith = true
                put(record, for: earlier)
            }
        }
        ordinals[event.app] = max(ordinals[event.app] ?? 0, order.ordinal)
        // An import may repeat a number.
        put(nil, for: id)
        put(
            TransferRecord(
                state: TransferState(
                    id: id, app: event.app, order: order, asked: event.time, stem: stem, phase: .waiting)),
            for: id)
    }

    private mutating func noteUnanswered(_ state: TransferState) {
        guard let challenge = state.challenge,
            unanswered.count(where: { $0.app == state.app }) < Self.mostUnanswered
        else { return }
        unanswered.insert(Unanswered(state, challenge))
    }

    private static let mostUnanswered = 100

    /// Whether the app does not answer challenges of this kind.
    func isUnanswered(_ challenge: TransferChallenge, of id: TransferID) -> Bool {
        records[id].map { unanswered.contains(Unanswered($0.state, challenge)) } ?? false
    }

    /// A changed plugin may answer challenges.
    mutating func pluginChanged(_ app: AppIdentifier) { unanswered = unanswered.filter { $0.app != app } }

    /// The app was launched for its due sessions.
    mutating func launched(_ app: AppIdentifier) {
        for session in dueSessions(of: app) {
            for var record in records(of: app, session: session)
            where record.isAsking || record.state.phase.isOver {
                record.launches += 1
                put(record, for: record.state.id)
            }
        }
    }

    /// A launch in which the app took one transfer was not in vain for the others of its session.
    private mutating func tookInLaunch(_ state: TransferState) {
        for var record in records(of: state.app, session: state.order.session) where record.launches > 0 {
            record.launches = 0
            put(record, for: record.state.id)
        }
    }

    /// The files in an app's folder for transfers that belong to no transfer: a host was killed before it had them
    /// removed.
    public func strays(among names: [String], of app: AppIdentifier) -> (stems: [UInt64], uploads: [String]) {
        let own = records(of: app)
        let stems = Set(own.map(\.state.stem)).union(kept.values.lazy.filter { $0.app == app }.map(\.stem))
        let uploads = Set(own.compactMap(\.state.order.file))
        let found = Set(names.compactMap { TransferFiles.stem(of: $0) })
        return (
            found.subtracting(stems).sorted(),
            names.filter { TransferFiles.isUpload($0) && !uploads.contains($0) }.sorted()
        )
    }

    /// Transfers that are not over have as long as before the clock was set.
    mutating func clockSet(by milliseconds: Int64) {
        for var record in records.values where !record.state.phase.isOver {
            record.clockSet(by: milliseconds)
            put(record, for: record.state.id)
        }
    }

    mutating func forget(_ id: TransferID) { keep(nil, for: id) }
}

/// The received part of a transfer that was cancelled or has failed, which another transfer may resume.
public struct KeptPart: Sendable, Equatable, Codable {
    public let app: AppIdentifier
    public let stem: UInt64
    public let since: WallTime
}

/// A kind of challenge that an app does not answer in one of its sessions.
private struct Unanswered: Sendable, Hashable, Comparable, Codable {
    let app: AppIdentifier
    let session: String
    let isOfCertificate: Bool

    init(_ state: TransferState, _ challenge: TransferChallenge) {
        app = state.app
        session = state.order.session
        isOfCertificate = challenge.method.isOfCertificate
    }

    static func < (a: Self, b: Self) -> Bool {
        (a.app.text, a.session, a.isOfCertificate ? 1 : 0) < (
            b.app.text, b.session, b.isOfCertificate ? 1 : 0
        )
    }
}

extension TransferBook: Codable {
    private enum CodingKeys: String, CodingKey { case records, kept, next, ordinals, unanswered }

    private struct Ordinal: Codable {
        let app: AppIdentifier
        let ordinal: UInt64
    }
    private struct Part: Codable {
        let id: TransferID
        let part: KeptPart
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let records = try container.decode([TransferRecord].self, forKey: .records)
        let parts = try container.decode([Part].self, forKey: .kept)
        next = try container.decode(UInt64.self, forKey: .next)
        let ordinals = try container.decode([Ordinal].self, forKey: .ordinals)
        self.ordinals = Dictionary(ordinals.map { ($0.app, $0.ordinal) }) { _, last in last }
        unanswered = try container.decodeIfPresent(Set<Unanswered>.self, forKey: .unanswered) ?? []
        for record in records { put(record, for: record.state.id) }
        for part in parts { keep(part.part, for: part.id) }
    }

    /// Sorted, so that equal books are equal bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(records.values.sorted { $0.state.id < $1.state.id }, forKey: .records)
        try container.encode(
            kept.sorted { $0.key < $1.key }.map { Part(id: $0.key, part: $0.value) }, forKey: .kept)
        try container.encode(next, forKey: .next)
        try container.encode(
            ordinals.sorted { $0.key < $1.key }.map { Ordinal(app: $0.key, ordinal: $0.value) },
            forKey: .ordinals)
        if !unanswered.isEmpty { try container.encode(unanswered.sorted(), forKey: .unanswered) }
    }
}
