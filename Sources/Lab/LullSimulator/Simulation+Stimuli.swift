import LullModel
import LullScheduler

/// What happens to the host from outside.
extension Simulation {
    mutating func happen(_ entry: World.Entry) {
        tell { "* \(entry.stimulus.line)" }
        switch entry.stimulus {
        case .used(let app):
            // A use from a time when the host was away comes in with its own time, as an import does.
            handle(
                .used(app, at: min(clock.wall, WallTime(milliseconds: entry.time.milliseconds + clock.ahead)))
            )
        case .imported(let events): takeIn(events)
        case .conditions(let new): change(to: new)
        case .submitted(let submission): submit(submission)
        case .cancelled(let app, let task, let next):
            about.isByHand = !next
            handle(.cancelled(app, task, next: next, reply: makeToken()))
        case .launchRequested(let task, let instead):
            let token = makeToken()
            invariants.willLaunch(token, manifest.app(of: task), instead: instead)
            handle(.launchRequested(task, instead: instead, reply: token))
        case .expireRequested(let task): handle(.expireRequested(task, reply: makeToken()))
        case .pushed(let app, let push):
            let token = makeToken()
            invariants.willPush(token, push)
            handle(.pushed(app, push, reply: token))
        case .urgencyRestored(let app): handle(.urgencyRestored(app, reply: makeToken()))
        case .enabled(let app, let isEnabled, let task):
            handle(.enabled(app, isEnabled, task: task, reply: makeToken()))
        case .paused(let scope, let span):
            handle(.paused(scope, until: span.map { clock.wall + $0 }, reason: nil, reply: makeToken()))
        case .resumed(let scope): handle(.resumed(scope, reply: makeToken()))
        case .manifest(let new):
            manifest = new
            invariants.manifestChanged(to: new, clock)
            handle(.manifestLoaded(new, stamps: new.virtualStamps))
        case .clockStep(let span):
            clock.step(by: span)
            invariants.clockWasSet(clock)
            handle(.wake)
        case .suspended(let span):
            clock.suspend(for: span)
            invariants.idleness.disturbed(at: clock)
        case .workerDied(let app):
            guard let id = anyWorker(of: app), let worker = workers[id] else { return }
            if worker.phase != .suspended { lastWords(of: id, worker.runs.keys.min()) }
            if workers[id]?.phase != .leaving {
                leave(id, "ended by signal 11 (SIGSEGV)", after: .zero)
            }
        case .violated(let app, let isFatal):
            guard let id = anyWorker(of: app), let worker = workers[id], worker.phase != .suspended else {
                return
            }
            let run = worker.runs.filter { $0.value.isAtWork }.keys.min()
            write(
                .violation(
                    run: run?.number ?? 0, identifier: "", sentence: "It sent what can't be.",
                    isFatal: isFatal),
                by: id)
        case .hostDied(let down): restart(down: down)
        case .poweredOff(let span, let silently): powerOff(for: span, silently: silently)
        case .hostDiesAmidEffects(let after, let down): crash = .amidEffects(after: after, down: down)
        case .hostDiesAmidWrite(let isDurable, let down): crash = .amidWrite(isDurable: isDurable, down: down)
        case .disk(let room):
            self.room = room
            noteFillers()
            handle(.diskLooked(room, isFull: false))
        case .folder(let app, let use):
            folders[app] = use
            noteFillers()
            handle(.foldersLooked([app: use], isAll: false))
        case .diskFull(let span): disk.isFullUntil = clock.trueTime + span
        case .diskHangs(let span): disk.hangsUntil = clock.awake + span
        case .diskFails(let times): disk.failures += times
        case .restarted(let down):
            startsAgain = down
            agenda.add(.mustHaveFinished, at: clock.monotonic + Self.endWait)
            handle(.shutdown)
        case .happened(let trigger):
            about.trigger = trigger
            handle(.happened(trigger, TriggerEvent(trigger.kind, at: clock.wall), reply: makeToken()))
        case .shutdown: handle(.shutdown)
        case .notifies(let app, let notification):
            let token = makeToken()
            invariants.notifications.willAdd(token, app, notification.identifier)
            handle(.notificationAdded(app, notification, reply: token))
        case .unnotifies(let app, let identifiers, let delivered):
            handle(.notificationsRemoved(app, identifiers, delivered: delivered, reply: makeToken()))
        case .asksTransfer(let app, let order):
            handle(.transferAsked(app, order, reply: makeToken()))
        case .actsOnTransfer(let act, let number): self.act(act, onTransfer: number)
        case .ordersTransfer(let ordering, let number): order(ordering, transfer: number)
        case .transferProcessDied(let app): endTransferProcess(of: app)
        }
    }

    /// Notes apps that fill the disk. They stay noted until all that was decided of them is carried out.
    private mutating func noteFillers() {
        guard let room, room.bytes < Limits.diskRoom.bytes else {
            if order.isQuiet { fillers = [] }
            return
        }
        for (app, use) in folders where !use.isWhole || use.changedBytes >= Limits.diskGrowth.bytes {
            fillers.insert(app)
        }
    }

    /// How long a service manager waits for the host to end before it kills it.
    static let endWait: Duration = .minutes(2)

    private mutating func powerOff(for span: Duration, silently: Bool) {
        if !silently { noteSight(.stopped, by: clock) }
        // The shell starts a while after the boot.
        let sign = max(seen?.time ?? .distantPast, log.ledger.latest ?? .distantPast)
        invariants.idleness.lost(max(.zero, clock.wall - sign))
        restart(down: .seconds(20), off: max(.zero, span - .seconds(20)))
    }

    /// Imports events: the log takes them in as they are.
    private mutating func takeIn(_ events: [HistoryEvent]) {
        take(imported: events)
        eventsSinceCheckpoint += events.count
        var batch = VirtualBatch()
        batch.imported = events
        about.isImport = true
        order.add(
            batch,
            then: Frame(
                now: now, clock: clock, conditions: told, manifest: manifest, folders: folders, about: about))
        goOn()
    }
}
