import LullModel

/// Which sinks get which notices: decided here, recorded before it counts, and carried out by the shell.
extension SchedulerState {
    /// State that a notice may need, and that applying its event overwrites.
    struct Told {
        var wasTroubled = false
    }

    /// Before an event is applied: the state that notices of it will need; nil: none.
    func beforeTelling(_ event: HistoryEvent) -> Told? {
        guard options.sendsNotices, deliveries.hasSinks else { return nil }
        switch event.event {
        case .completed, .failed, .interrupted, .discovered, .idleSoon, .idled, .reported:
            let subject = event.task?.text ?? event.app.text
            return Told(wasTroubled: ledger.notices.troubled.contains(subject))
        default: return nil
        }
    }

    /// After an event has been recorded: decides on the notices of it.
    mutating func tell(of event: HistoryEvent, _ before: Told) {
        switch event.event {
        case .failed, .interrupted:
            guard let outcome = event.outcome, event.isFailure, event.earliestBegin == nil else { return }
            tell(.failed, event, sentence(ofFailure: event, outcome))
        case .completed where before.wasTroubled:
            tell(.recovered, event, "it succeeded again" + (event.run.map { ", in run \($0)" } ?? ""))
        case .discovered where before.wasTroubled:
            tell(.recovered, event, "its plugin could be loaded again")
        case .reported: tell(.reported, event, event.reason ?? "a push came")
        case .idleSoon: tell(.idle, event, "it will become idle: \(event.reason ?? "it is not used")")
        case .idled:
            tell(.idle, event, "it is idle, and not launched until it is used again: \(event.reason ?? "")")
        default: break
        }
    }

    private func sentence(ofFailure event: HistoryEvent, _ outcome: Outcome) -> String {
        let reason = event.reason.map { ": \($0)" } ?? ""
        guard let run = event.run else {
            return outcome == .unloadable
                ? "its plugin can't be loaded\(reason)"
                : event.reason ?? "its worker ended before the plugin was ready"
        }
        let after = event.milliseconds.map { " after \(Phrase.span(.milliseconds($0)))" } ?? ""
        return switch outcome {
        case .succeeded, .failed: "run \(run) failed\(after)\(reason)"
        case .expired: "run \(run) expired\(after)\(reason)"
        case .killed: "run \(run) was killed\(after)\(reason)"
        case .crashed: "run \(run) crashed\(after)\(reason)"
        case .unloadable: "run \(run) could not begin\(reason)"
        case .interrupted: "run \(run) was interrupted\(reason)"
        case .stopped: "run \(run) was stopped\(after)\(reason)"
        }
    }

    /// Sends a notice that an ended run has printed something. A sink that gets a notice of its failure has the output
    /// with that.
    mutating func tellOutput(of run: Run, failed: Bool) {
        guard options.sendsNotices, deliveries.hasSinks, run.hasPrinted else { return }
        let event = HistoryEvent(.completed, at: now.wall, app: run.app, task: run.task, run: run.id)
        tell(.output, event, "run \(run.id) printed something") { !(failed && $0.on.contains(.failed)) }
    }

    /// Makes a notice for each sink of the event's subject that wants this kind.
    mutating func tell(
        _ kind: NoticeKind, _ event: HistoryEvent, _ sentence: String,
        _ wants: (NoticeSink) -> Bool = { _ in true }
    ) {
        tell(kind, event, sentence, to: sinks(for: event).filter { $0.on.contains(kind) && wants($0) })
    }

    /// Makes a notice for each of these sinks; `text`: an app's own words.
    mutating func tell(
        _ kind: NoticeKind, _ event: HistoryEvent, _ sentence: String, saying text: NoticeText? = nil,
        to sinks: [NoticeSink]
    ) {
        for sink in sinks {
            let subject = event.task?.text ?? event.app.text
            let isDue = ledger.notices.admits(kind, about: subject, to: sink.name, at: now.wall)
            var told = HistoryEvent(
                .notice, at: now.wall, app: event.app, task: event.task, run: event.run, reason: sentence)
            told.notice = NoticeNote(
                id: ledger.notices.nextNotice, kind: kind, sink: sink.name, state: isDue ? .due : .held,
                said: isDue ? text : nil)
            record(told)
        }
        deliverDue()
    }

    /// A manifest with errors does not say which apps it concerns: all sinks are notified of it, and of its end.
    mutating func judged(_ sentence: String, isInForce: Bool) {
        let event = HistoryEvent(.notice, at: now.wall, app: .host)
        guard options.sendsNotices, !isInForce || ledger.notices.troubled.contains(event.app.text) else {
            return
        }
        let kind = isInForce ? NoticeKind.recovered : .manifest
        var names: Set<String> = []
        let sinks = manifest.apps.flatMap { $0.notify + $0.tasks.flatMap(\.notify) }
            .filter { $0.on.contains(kind) && names.insert($0.name).inserted }
        tell(kind, event, sentence, to: sinks)
    }

    private func sinks(for event: HistoryEvent) -> [NoticeSink] {
        if let task = event.task { return definition(of: task)?.notify ?? [] }
        return app(event.app)?.notify ?? []
    }

    /// Begins the deliveries that are due, makes summaries of held notices, and sets when to look again.
    mutating func deliverDue() {
        guard options.sendsNotices else { return }
        for window in ledger.notices.windows {
            guard let due = ledger.notices.summary(of: window), NoticeBook.isDue(due, at: now.wall),
                let app = window.app
            else { continue }
            // A summary is about several subjects: the event is the first one's, and the sentence names all.
            var summary = HistoryEvent(
                .notice, at: now.wall, app: app, task: window.task, reason: window.sentence)
            summary.notice = NoticeNote(
                id: ledger.notices.nextNotice, kind: window.byWeight.first?.kind ?? .failed,
                sink: window.sink,
                state: .due, covers: window.heldNumber)
            record(summary)
        }
        var busy = Set(ledger.notices.open.filter(deliveries.isUnderWay).map(\.sink))
        // Failures first, for not all deliveries are begun at once.
        for notice in ledger.notices.open.filter(\.kind.isFailure)
            + ledger.notices.open.filter({ !$0.kind.isFailure })
        where NoticeBook.isDue(notice.next, at: now.wall) && !deliveries.isUnderWay(notice) {
            guard let target = deliveries.target(of: notice.sink) else {
                // Another manifest may be read in a moment.
                if listing.since != nil {
                    end(notice, .givenUp, "\(manifest.path) no longer names this sink")
                }
                continue
            }
            // A notice that is not begun while the host shuts down is begun by the next host.
            guard !isShuttingDown, !deliveries.isFull || !busy.contains(notice.sink) else { continue }
            deliveries.begin(notice)
            busy.insert(notice.sink)
            turn.effects.append(.deliver(Delivery(notice: notice, target: target)))
        }
        armNotices()
    }

    private mutating func armNotices() {
        let book = ledger.notices
        let times =
            book.open.filter { !deliveries.isUnderWay($0) }.map(\.next)
            + book.windows.compactMap { book.summary(of: $0) }
        // Notices that only wait for other deliveries begin when those end.
        agenda[.notices] = times.filter { $0 > now.wall }.min()
    }

    /// A sink has accepted a notice, or has not.
    mutating func delivered(_ id: UInt64, trouble: String?) {
        guard deliveries.end(id), let notice = ledger.notices.open.first(where: { $0.id == id }) else {
            return
        }
        if let trouble {
            if notice.kind == .notification, handOn(notice, trouble) { return deliverDue() }
            let isOver = now.wall - notice.time >= NoticeBook.timeout
            end(notice, isOver ? .givenUp : .failed, trouble)
        } else {
            end(notice, .delivered, nil)
        }
        deliverDue()
    }

    /// Hands a notification that the desktop does not show to the app's other sinks; false: there are none.
    private mutating func handOn(_ notice: Notice, _ trouble: String) -> Bool {
        guard notice.sink == NoticeSink.desktopName else { return false }
        let event = HistoryEvent(
            .notice, at: now.wall, app: notice.app, task: notice.task, run: notice.run)
        let others = sinks(for: event).filter {
            $0.target != .desktop && $0.on.contains(notice.kind)
        }
        guard !others.isEmpty else { return false }
        end(notice, .handedOn, trouble)
        tell(notice.kind, event, notice.reason, saying: notice.said, to: others)
        return true
    }

    private mutating func end(_ notice: Notice, _ state: NoticeNote.State, _ reason: String?) {
        var event = HistoryEvent(
            .notified, at: now.wall, app: notice.app, task: notice.task, run: notice.run, reason: reason)
        event.notice = NoticeNote(
            id: notice.id, kind: notice.kind, sink: notice.sink, state: state, attempt: notice.attempts + 1,
            covers: notice.covers)
        record(event)
    }
}
