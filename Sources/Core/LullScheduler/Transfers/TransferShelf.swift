import LullModel

/// An index of the transfers of one app: by number, by session, and by what each waits for.
///
/// Derived from the records alone, and updated with each change of one.
struct TransferShelf: Sendable, Equatable {
    /// In the order in which they were asked for.
    private(set) var ids: [TransferID] = []
    private(set) var glances: [TransferID: TransferGlance] = [:]
    private(set) var sessions: [String: Session] = [:]
    /// The sessions that the app is to be launched for.
    private(set) var due: Set<String> = []
    /// The bytes of orders and results together.
    private(set) var bytes = 0

    struct Session: Sendable, Equatable {
        fileprivate(set) var ids: [TransferID] = []
        fileprivate var roles: [Role: Int] = [:]

        fileprivate var isDue: Bool {
            roles[.asks, default: 0] > 0 || roles[.ended, default: 0] > 0 && roles[.open, default: 0] == 0
        }
    }

    /// What a transfer means for a launch of its app.
    fileprivate enum Role { case open, asks, ended, silent }

    /// Updates the index: a record has changed, has come (`old` is nil) or gone (`new` is nil).
    mutating func change(_ old: TransferRecord?, to new: TransferRecord?) {
        guard let state = (new ?? old)?.state else { return }
        bytes += (new?.bytes ?? 0) - (old?.bytes ?? 0)
        glances[state.id] = new.map { TransferGlance($0) }
        let name = state.order.session
        var session = sessions.removeValue(forKey: name) ?? Session()
        if let old {
            session.roles[old.role, default: 0] -= 1
            // Shelves of equal records must be equal, whatever the records were before.
            if session.roles[old.role] == 0 { session.roles[old.role] = nil }
        }
        if let new { session.roles[new.role, default: 0] += 1 }
        switch (old, new) {
        case (nil, .some):
            ids.place(state.id)
            session.ids.place(state.id)
        case (.some, nil):
            ids.take(state.id)
            session.ids.take(state.id)
        case (.some, .some), (nil, nil): break
        }
        if session.isDue { due.insert(name) } else { due.remove(name) }
        if !session.ids.isEmpty { sessions[name] = session }
    }
}

/// The values that decide whether a transfer may go on: read for all that wait, whenever something changes.
struct TransferGlance: Sendable, Equatable {
    let isWanted: Bool
    let asked: WallTime
    let earliestBegin: WallTime?
    let notBefore: WallTime?
    let interruptedAt: WallTime?
    let need: TransferNeed

    init(_ record: TransferRecord) {
        isWanted = record.isWanted
        asked = record.asked
        earliestBegin = record.state.order.earliestBegin
        notBefore = record.notBefore
        interruptedAt = record.interruptedAt
        need = TransferNeed(record.state.order)
    }
}

extension TransferRecord {
    fileprivate var role: TransferShelf.Role {
        if isAsking { return mayLaunch ? .asks : .silent }
        if !state.phase.isOver { return .open }
        return mayLaunch ? .ended : .silent
    }

    /// The approximate bytes that it takes in the host's memory.
    fileprivate var bytes: Int { state.order.bytes + (state.result?.bytes ?? 0) }
}

extension TransferOrder {
    /// The bytes of its text and body.
    var bytes: Int {
        session.utf8.count + url.utf8.count + (label?.utf8.count ?? 0) + (body?.bytes.count ?? 0)
            + headers.bytes
    }
}

extension TransferResult {
    var bytes: Int { url.utf8.count + headers.bytes }
}

extension [TransferHeader] {
    fileprivate var bytes: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

extension [TransferID] {
    /// The index of the first element that does not come before `id`; the array is sorted.
    func place(of id: TransferID) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func place(_ id: TransferID) {
        let place = place(of: id)
        if place == count || self[place] != id { insert(id, at: place) }
    }

    mutating func take(_ id: TransferID) {
        let place = place(of: id)
        if place < count, self[place] == id { remove(at: place) }
    }
}
