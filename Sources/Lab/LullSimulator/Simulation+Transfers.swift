import LullModel
import LullScheduler

/// Transfers: the process that makes them, and apps that take their results.
extension Simulation {
    mutating func begin(_ start: TransferStart, of app: AppIdentifier) {
        if virtualTransfers.underWay[start.id]?.host == hosts {
            invariants.fault("\(start.id) is begun while it is under way")
        }
        virtualTransfers.underWay[start.id] = VirtualTransfers.Attempt(app: app, start: start, host: hosts)
        let isThere = virtualTransfers.done[start.stem] != nil
        let wait: Int64 =
            isThere
            ? 1
            : virtualTransfers.random.chance(0.7)
                ? Int64.random(in: 1...60_000, using: &virtualTransfers.random)
                : Int64.random(in: 1...14_400_000, using: &virtualTransfers.random)
        agenda.add(
            .transferred(start.id, attempt: start.attempt, host: hosts),
            at: clock.monotonic + .milliseconds(wait))
    }

    mutating func transferred(_ id: TransferID, attempt: UInt64, host: Int) {
        guard let known = virtualTransfers.underWay[id], known.start.attempt == attempt, known.host == host
        else {
            // It was stopped a moment ago, and the news of it is on its way.
            if host == hosts {
                handle(
                    .transferNews(
                        id, attempt: attempt, .interrupted(sentence: "late", retryAfter: nil, received: 0)))
            }
            return
        }
        virtualTransfers.underWay[id] = nil
        let news = virtualTransfers.outcome(of: known.start)
        // An attempt whose host is gone goes on to its end, and is not reported.
        if host == hosts { handle(.transferNews(id, attempt: attempt, news)) }
    }

    mutating func stopTransfer(_ id: TransferID, keepsPart: Bool) {
        guard let known = virtualTransfers.underWay.removeValue(forKey: id) else { return }
        if !keepsPart { virtualTransfers.done[known.start.stem] = nil }
    }

    mutating func endTransferProcess(of app: AppIdentifier) {
        for (id, known) in virtualTransfers.underWay.sorted(by: { $0.key < $1.key })
        where known.app == app && known.host == hosts {
            virtualTransfers.underWay[id] = nil
            handle(
                .transferNews(
                    id, attempt: known.start.attempt,
                    .interrupted(sentence: "the process was killed", retryAfter: nil, received: 0)))
        }
    }

    /// An app that is awake may look, and takes transfers that are over.
    mutating func tellTransfers(_ session: String, _ worker: WorkerID) {
        guard workers[worker]?.phase == .warm, virtualTransfers.random.chance(0.3) else { return }
        takeTransfers(of: worker.app, session: session)
    }

    /// Answers challenges, and takes the transfers that are over: all of them, or only some.
    mutating func takeTransfers(of app: AppIdentifier, session: String? = nil) {
        for transfer in state.transfers(of: app, session: session) {
            if let challenge = transfer.challenge {
                handle(.transferAnswered(app, transfer.id, answer(to: challenge), reply: makeToken()))
            }
            guard transfer.phase.isOver else { continue }
            if virtualTransfers.random.chance(0.1) { continue }
            handle(.transferActed(app, transfer.id, .taking, reply: makeToken()))
            if virtualTransfers.random.chance(0.1) { continue }
            handle(.transferActed(app, transfer.id, .taken, reply: makeToken()))
        }
    }

    private mutating func answer(to challenge: TransferChallenge) -> TransferAnswer {
        switch Int.random(in: 0..<10, using: &virtualTransfers.random) {
        case 0..<5:
            challenge.method.isOfCertificate ? .trust : .credential(user: "somebody", password: "secret")
        case 5: .byDefault
        case 6: .cancel
        default: .nobody
        }
    }

    mutating func act(_ act: TransferAct, onTransfer number: Int) {
        guard let transfer = anyTransfer(number) else { return }
        handle(.transferActed(transfer.app, transfer.id, act, reply: makeToken()))
    }

    mutating func order(_ ordering: TransferOrdering, transfer number: Int) {
        guard let transfer = anyTransfer(number, isOver: false) else { return }
        handle(.transferOrdered(transfer.id, ordering, reply: makeToken()))
    }

    private func anyTransfer(_ number: Int, isOver: Bool = true) -> TransferState? {
        let all = manifest.apps.map(\.identifier).sorted().flatMap { app in
            state.transfers(of: app, session: nil).filter { isOver || !$0.phase.isOver }
        }
        return all.isEmpty ? nil : all[number % all.count]
    }
}
