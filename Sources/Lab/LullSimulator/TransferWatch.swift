import LullModel
import LullScheduler

/// Checks transfers, by the records and the effects: each ends once, none is begun while it may not be, and its app takes only
/// a transfer that is over.
struct TransferWatch: Sendable {
    private struct Known: Sendable {
        let app: AppIdentifier
        let order: TransferOrder
        let stem: UInt64
        var hasEnded = false
        var isHeld = false
        var isSuspended = false
        /// The challenge of a server, until the app has answered.
        var question: TransferChallenge?
        var answers: [Question: GivenAnswer] = [:]
        var notBefore: WallTime?
        var keepsPart = false
        var isGoneOnWith = false

        func mute(of question: TransferChallenge) -> Mute {
            Mute(app: app, session: order.session, isOfCertificate: question.method.isOfCertificate)
        }
    }

    private struct Question: Hashable {
        let place: String
        let isOfCertificate: Bool

        init(_ challenge: TransferChallenge) {
            place = "\(challenge.scheme)://\(challenge.host):\(challenge.port)"
            isOfCertificate = challenge.method.isOfCertificate
        }
    }

    /// A kind of challenge for which an app has no method.
    private struct Mute: Hashable {
        let app: AppIdentifier
        let session: String
        let isOfCertificate: Bool
    }

    private var known: [TransferID: Known] = [:]
    private var mute: Set<Mute> = []
    /// Transfers that have such a challenge all the same: it is answered at once.
    private var unanswerable: Set<TransferID> = []
    private var apps: Set<AppIdentifier> = []
    private var gone: Set<TransferID> = []
    /// The stems of files that are kept of transfers that are gone, by number.
    private var kept: [TransferID: UInt64] = [:]
    /// The attempts of the current host.
    private var active: [TransferID: AppIdentifier] = [:]

    func isKnown(_ id: TransferID) -> Bool { known[id] != nil || gone.contains(id) }

    /// Whether the app ever asked for one.
    func hasAsked(_ app: AppIdentifier) -> Bool { apps.contains(app) }

    mutating func hostDied() { active = [:] }

    /// Notes a record that is durable now, and returns a sentence for each fault.
    mutating func note(_ event: HistoryEvent) -> [String] {
        guard let note = event.transfer else { return ["a transfer's event says nothing"] }
        let id = note.id
        if case .asked(_, let order) = note { return ask(id, order, event.app) }
        guard var entry = known[id] else { return ["\(id) is spoken of, and is not there"] }
        defer { if known[id] != nil { known[id] = entry } }
        switch note {
        case .asked: break
        case .taking: if !entry.hasEnded { return ["\(id) is being taken, and goes on"] }
        case .taken, .givenUp:
            known[id] = nil
            gone.insert(id)
            if entry.keepsPart, !entry.isGoneOnWith { kept[id] = entry.stem }
            if !entry.hasEnded { return ["\(id) is taken, and goes on"] }
        case .finished, .failed, .cancelled:
            active[id] = nil
            if entry.hasEnded { return ["\(id) ends twice"] }
            entry.hasEnded = true
            entry.question = nil
            if case .cancelled(_, let keeps) = note { entry.keepsPart = keeps }
            if case .failed(_, let failure) = note { entry.keepsPart = failure.isResumable }
        case .interrupted(_, let until, _):
            active[id] = nil
            if entry.hasEnded { return ["\(id) is interrupted after its end"] }
            entry.notBefore = until
        case .challenged(_, let challenge):
            active[id] = nil
            if entry.hasEnded { return ["\(id) is challenged after its end"] }
            entry.question = challenge
            if mute.contains(entry.mute(of: challenge)) { unanswerable.insert(id) }
        case .answered(_, let answer):
            guard let question = entry.question else { return ["\(id) is answered, and nobody asks"] }
            entry.question = nil
            entry.answers[Question(question)] = GivenAnswer(answer, to: question)
            if answer == .nobody { mute.insert(entry.mute(of: question)) }
            unanswerable.remove(id)
        case .paused(_, let byOperator):
            if byOperator { entry.isHeld = true } else { entry.isSuspended = true }
        case .resumed(_, let byOperator):
            if byOperator { entry.isHeld = false } else { entry.isSuspended = false }
            entry.notBefore = nil
        }
        return []
    }

    /// The app's new plugin may answer.
    mutating func pluginChanged(_ app: AppIdentifier) { mute = mute.filter { $0.app != app } }

    private mutating func ask(_ id: TransferID, _ order: TransferOrder, _ app: AppIdentifier) -> [String] {
        var stem = id.number
        if let earlier = order.resumes {
            if let part = kept.removeValue(forKey: earlier) {
                stem = part
            } else if let entry = known[earlier] {
                stem = entry.stem
                known[earlier]?.isGoneOnWith = true
            }
        }
        apps.insert(app)
        defer { known[id] = Known(app: app, order: order, stem: stem) }
        return isKnown(id) ? ["\(id) is asked for twice"] : []
    }

    /// An attempt that is made now.
    mutating func begin(_ start: TransferStart, of app: AppIdentifier, _ frame: Frame) -> [String] {
        let id = start.id
        // It may have ended while the record was written.
        guard let entry = known[id] else {
            return gone.contains(id) ? [] : ["\(id) is begun, and is not there"]
        }
        if entry.hasEnded { return [] }
        var faults: [String] = []
        if active[id] != nil { faults.append("\(id) is begun while it is under way") }
        active[id] = app
        if entry.stem != start.stem { faults.append("\(id) is begun with another's files") }
        if Set(start.answers) != Set(entry.answers.values) {
            faults.append("\(id) is begun with other answers than its app has given")
        }
        if entry.question != nil { faults.append("\(id) is begun before its app has answered") }
        let most = frame.manifest.apps.first { $0.identifier == app }?.transfers?.atOnce ?? 0
        let count = active.values.count { $0 == app }
        // Slow transfers leave their places to others, up to three times as many as there are places.
        if count > 4 * max(most, start.rules.atOnce) {
            faults.append("\(count) transfers of \(app) are under way, of \(most)")
        }
        let limit = frame.manifest.apps.first { $0.identifier == app }?.limits.disk
        // No attempt has received more than that.
        let toCome = (entry.order.expectedToReceive ?? 0) - VirtualTransfers.mostReceived
        if let limit, let use = frame.folders[app], use.bytes + toCome >= limit {
            faults.append("\(id) is begun, and does not fit into its app's folder")
        }
        guard entry.order.isDiscretionary else { return faults }
        if case .known(let network) = frame.conditions.network, network != .unmetered {
            faults.append("\(id) is discretionary and is begun over a network that is \(network)")
        }
        if frame.conditions.externalPower == .known(false) {
            faults.append("\(id) is discretionary and is begun on battery power")
        }
        return faults
    }

    mutating func stop(_ id: TransferID) -> String? {
        active[id] = nil
        return isKnown(id) ? nil : "\(id) is stopped, and was never there"
    }

    /// Checks that files are removed only when no transfer needs them.
    func remove(_ stem: UInt64) -> String? {
        let users = known.filter { $0.value.stem == stem && !$0.value.hasEnded }.keys
        guard users.isEmpty, !kept.values.contains(stem) else {
            return "the files of \(stem) are removed, and somebody needs them"
        }
        return nil
    }

    /// Compares the transfers that the host has with the records.
    func check(_ state: SchedulerState) -> [String] {
        let held = Set(state.ledger.transfers.records.keys)
        if held != Set(known.keys) { return ["other transfers are there than the records say"] }
        return unanswerable.sorted().map { "\($0) waits for an answer that nobody gives" }
    }

    /// A fault if a transfer waits without a reason.
    static func idle(_ state: SchedulerState, at now: Now) -> String? {
        guard !state.ledger.transfers.isEmpty else { return nil }
        for report in state.transferReports(of: nil, at: now) where report.state.phase == .waiting {
            if report.reasons.isEmpty { return "\(report.state.id) waits for nothing" }
        }
        return nil
    }
}
