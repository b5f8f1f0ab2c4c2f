import LullModel
import LullWire

/// The host's end: what it reads, and the events that it makes of that.
extension WireWatch {
    /// The host reads a datagram; nil: it was meant to be no frame.
    mutating func arrives(_ frame: WorkerFrame?) {
        if isSilent {
            due = .nothing
            return
        }
        guard let frame else {
            due = .fatal
            return
        }
        due = expected(of: frame)
    }

    private mutating func expected(of frame: WorkerFrame) -> Due {
        switch frame {
        case .registered(let identifier): return registration(identifier)
        case .hello: return isEnding ? .nothing : isReady ? .fatal : .ready(registered)
        case .failed: return isReady ? .fatal : .nothing
        case .submit(let sequence, let request): return submit(sequence, request)
        case .withdraw(let sequence):
            unanswered.remove(sequence)
            return submits.removeValue(forKey: sequence).map { .withdrawal(sequence, $0) } ?? .nothing
        case .cancel, .pending, .activityBegan, .notifications, .removeNotifications, .transfers:
            return .anything
        case .notify(let sequence, _), .setBadge(let sequence, _), .transfer(let sequence, _),
            .transferAct(let sequence, _, _), .transferAnswer(let sequence, _, _):
            return unanswered.insert(sequence).inserted ? .anything : .fatal
        case .launchReturned(let run):
            return isOpen(run) ? .news(.launchReturned(RunID(run))) : .nothing
        case .completed(let run, let success, let childPeak):
            return isOpen(run)
                ? .news(.completed(RunID(run), success: success, childPeak: childPeak)) : .fatal
        case .log(let run, let level, let message):
            return .news(.log(isOpen(run) ? RunID(run) : nil, level, message: message))
        case .printed(let run, let stream, let part):
            return isOpen(run) && !part.isEmpty ? .news(.printed(RunID(run), stream, part)) : .nothing
        case .skippedOutput(let run, let bytes):
            return isOpen(run) ? .news(.skippedOutput(RunID(run), bytes: bytes)) : .nothing
        case .holdsOutput: return .nothing
        case .progress(let run, let completed, let total, let message):
            guard isOpen(run) else { return .nothing }
            return .news(.progress(RunID(run), completed: completed, total: total, message: message))
        case .titles(let run, let title, let subtitle):
            return isOpen(run) ? .news(.titled(RunID(run), title: title, subtitle: subtitle)) : .nothing
        case .exitCode(let run, let code):
            return isOpen(run) ? .news(.exitCode(RunID(run), code)) : .nothing
        case .reported(let run, let text):
            return isOpen(run) ? .news(.reported(RunID(run), text: text)) : .nothing
        case .violation(_, _, _, let isFatal): return isFatal ? .fatal : .anything
        case .activityEnded: return isEnding ? .nothing : .fatal
        }
    }

    private mutating func registration(_ identifier: String) -> Due {
        if isEnding { return .nothing }
        guard let task = TaskIdentifier(identifier), let kind = permits[task],
            !registered.contains(task),
            !isReady || kind == .continued
        else { return .fatal }
        registered.append(task)
        return isReady ? .news(.registered(task)) : .nothing
    }

    private mutating func submit(_ sequence: UInt64, _ request: WireRequest) -> Due {
        if !unanswered.insert(sequence).inserted { return .fatal }
        guard let task = TaskIdentifier(request.identifier), !task.isWildcard else { return .nothing }
        return .submit(sequence, request)
    }

    /// Compares the event that the host has made with the one that is due.
    mutating func heard(_ news: WorkerEvent) {
        if isSilent { fault("something is heard after a fatal violation: \(news)") }
        checkRun(of: news)
        let due = self.due ?? .nothing
        self.due = .nothing
        switch (due, news) {
        case (.anything, _): break
        case (.news(let wanted), let news) where wanted == news: break
        case (.ready(let tasks), .ready(let registered, _)) where tasks == registered: isReady = true
        case (.submit(let sequence, let request), .submit(let id, let number, let heard))
        where number == sequence && isSame(request, heard):
            if submits.values.contains(id) { fault("two submits have the number \(id.number)") }
            submits[sequence] = id
        case (.withdrawal(_, let id), .withdrawn(let heard)) where id == heard: break
        case (.fatal, .violation(_, _, _, true)): break
        default: fault("the host hears \(news), and its worker said something else: \(due)")
        }
        if case .violation(_, _, let sentence, let isFatal) = news {
            if sentence.isEmpty { fault("a violation without a sentence") }
            if isFatal { isSilent = true }
        }
    }

    /// There is no news of other workers' runs, and of a run that is over none but a violation.
    private mutating func checkRun(of news: WorkerEvent) {
        switch news {
        case .completed(let run, _, _):
            if !launched.contains(run.number) {
                fault("the completion of run \(run) is believed, which is not its worker's")
            } else if !over.insert(run.number).inserted {
                fault("run \(run) completes twice")
            }
        case .violation(let run?, _, _, _):
            if !launched.contains(run.number) {
                fault("a violation is held against run \(run), which is not its worker's")
            }
        default:
            if let run = news.run, !isOpen(run.number) {
                fault("the host hears of run \(run), which is not open in its worker")
            }
        }
    }

    private func isSame(_ request: WireRequest, _ heard: PluginRequest) -> Bool {
        request.identifier == heard.task.text && request.isImmediate == heard.isImmediate
            && (heard.kind == .refresh) == (request.kind == .refresh)
            && (heard.kind == .continued) == (request.kind == .continued)
            && (heard.earliestBegin?.milliseconds ?? 0) == request.earliestBegin / 1_000_000
    }

    /// The host is done with the datagram.
    mutating func arrived() {
        defer { due = nil }
        switch due {
        case .nothing?, .anything?, nil: break
        case .news(let news)?: fault("the host does not hear what its worker said: \(news)")
        case .withdrawal(let sequence, _)?: fault("the withdrawal of submit \(sequence) is not heard")
        case .submit(let sequence, _)?:
            // Refused on the spot, if there are too many.
            if unanswered.contains(sequence) { fault("submit \(sequence) is not heard") }
        case .ready?: fault("the host does not hear that its worker is ready")
        case .fatal?: fault("what can't be is passed over")
        }
    }
}
