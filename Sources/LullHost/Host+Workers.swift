import LullHistory
import LullLoop
import LullModel
import LullScheduler
import LullSession
import LullWire
import LullWorkers

/// What workers say, as events for the scheduler; what they print, kept with their runs.
extension Host {
    func workerSaid(_ event: WorkerEvent) {
        switch event {
        case .ready(let worker, let registered, let plugin):
            let app = worker.app
            logger.debug("\(app): plugin built with \(plugin.sdk), ABI \(plugin.abiMajor).\(plugin.abiMinor)")
            ownWork.touched(app, at: Clock.monotonic)
            handle(.workerReady(worker, registered: registered, plugin: plugin.provenance))
            noteChange()
        case .failed(let worker, let sentence): handle(.workerFailed(worker, sentence: sentence))
        case .exited(let worker, let sentence):
            logRests(worker.app)
            handle(.workerExited(worker, sentence: sentence))
            noteChange()
        case .submit(let id, let worker, let request, let reply): submit(id, worker.app, request, reply)
        case .withdrawn(let id, _):
            handle(.withdrawn(reply: token(of: id)))
            replies[token(of: id)] = nil
        case .cancel(let worker, let task, let done):
            handle(.cancelled(worker.app, task, reply: nil))
            commits.add(nil, then: done)
        case .pendingQuery(let worker, let reply): reply(scheduler.pending(of: worker.app))
        case .launchReturned(_, let run): handle(.launchReturned(run))
        case .completed(let worker, let run, let success):
            if !success { explainDenial(worker.app, run) }
            handle(.completed(run, success: success, summary: outputs.summary(of: run)))
        case .log(let worker, let run, let level, let message): log(worker, run, level, message)
        case .progress(_, let run, let completed, let total, _):
            handle(.progressed(run, .counted(completed: completed, total: total)))
            noteChange()
        case .titled(_, let run, let title, let subtitle):
            handle(.progressed(run, .titled(title, subtitle: subtitle)))
            noteChange()
        case .registered(let worker, let task): handle(.registered(worker, task))
        case .output(let worker, let stream, let bytes):
            if let run = outputs.append(bytes, .init(stream), of: worker, at: Clock.wall) {
                handle(.printed(run))
            }
        case .printed(_, let run, let stream, let bytes):
            if outputs.append(bytes, .init(stream), run: run, at: Clock.wall) { handle(.printed(run)) }
        case .violation(let worker, let run, let task, let sentence, let isFatal):
            handle(.violation(worker, run, task: task, sentence: sentence, isFatal: isFatal))
        case .suspended(let worker):
            logRests(worker.app)
            logger.debug("\(worker.app): suspended")
            noteChange()
        case .suspendRefused(let worker, let reason):
            logger.debug("\(worker.app): not suspended yet: \(reason)")
        }
    }

    /// An app that is kept from something says "Permission denied", as if the file's owner had said so.
    private func explainDenial(_ app: AppIdentifier, _ run: RunID) {
        if outputs.lackedProcesses(run), let app = manifest.apps.first(where: { $0.identifier == app }) {
            outputs.note(Sentences.shortage(of: app), run: run, at: Clock.wall)
        }
        guard outputs.wasDenied(run), let app = manifest.apps.first(where: { $0.identifier == app }),
            let sentence = Sentences.limits(
                of: app, in: manifest,
                account: app.hasOwnAccount
                    ? AppAccount.account(with: configuration.state.appFolder(app.identifier.text)) : nil)
        else { return }
        outputs.note(sentence, run: run, at: Clock.wall)
    }

    private func submit(
        _ id: SubmitID, _ app: AppIdentifier, _ request: PluginRequest, _ reply: @escaping (Refusal?) -> Void
    ) {
        let submission = Submission(
            app: app, task: request.task, kind: request.kind, earliestBegin: request.earliestBegin,
            requires: request.requires, label: request.label, isImmediate: request.isImmediate)
        let token = token(of: id)
        replies[token] = { answer in
            if case .refused(let refusal) = answer { reply(refusal) } else { reply(nil) }
        }
        handle(.submitted(submission, reply: token))
    }

    /// Submits have tokens of their own, so that one can be withdrawn after it was answered.
    private func token(of id: SubmitID) -> Token { Token(id.number | 1 << 63) }

    private func log(_ worker: WorkerID, _ run: RunID?, _ level: LogLevel, _ message: String) {
        let app = worker.app
        let now = Clock.wall
        if let run {
            outputs.log(message, run: run, at: now)
        } else {
            outputs.append(Array((message + "\n").utf8), .log, of: worker, at: now)
        }
        let line = logAllowance.take(app, at: Clock.monotonic)
        if let sentence = LogAllowance.sentence(app, line.leftOut) { logger.warning("\(sentence)") }
        if line.isTaken { logger.log(level: level.inLog, "\(app): \(message)") }
    }

    /// Its worker has ended or been suspended: of a flood of lines, how many were left out.
    private func logRests(_ app: AppIdentifier) {
        guard let sentence = LogAllowance.sentence(app, logAllowance.rest(app)) else { return }
        logger.warning("\(sentence)")
    }
}

extension PluginIdentity {
    fileprivate var provenance: Provenance.Plugin {
        Provenance.Plugin(
            buildID: buildID.isEmpty ? nil : buildID, sdk: sdk, abi: "\(abiMajor).\(abiMinor)")
    }
}

extension OutputChunk.Stream {
    fileprivate init(_ stream: StandardStream) {
        switch stream {
        case .output: self = .standardOutput
        case .error: self = .standardError
        }
    }
}
