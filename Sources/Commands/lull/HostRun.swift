import ArgumentParser
import Glibc
import Logging
import LullCommands
import LullHost
import LullManifest
import LullModel
import LullSystem

/// A host in the foreground of this command.
struct HostRun {
    let options: StateOptions
    let manifest: Manifest
    let goal: HostConfiguration.Goal
    var interval: Duration?
    var showsProgress = false
    /// Whether the output of runs is also shown here.
    var showsPrinted = false
    /// The group that may read; nil: none.
    var readers: gid_t?
    /// Where the page is served; nil: nowhere.
    var page: PagePlace?
    /// Problems with the manifest's files, if `manifest` is the last one that was in force.
    var refused: [Diagnostic] = []

    func run() throws -> HostResult {
        if let refusal = Descriptors.most.flatMap(Descriptors.refusal) {
            throw Failure(refusal + " " + Descriptors.fix)
        }
        var configuration = HostConfiguration(
            goal: goal, state: options.folder, manifestPath: options.absolute(manifest.path),
            pluginPath: options.pluginPath, roots: options.roots, worker: options.worker,
            passInterval: interval)
        configuration.refused = refused
        configuration.readers = readers
        configuration.desktop = StateOptions.desktopProgram
        if goal == .service {
            configuration.manager = ServiceManager.fromEnvironment()
            configuration.judgeSettings = SettingsCheck.logged(of:)
        }
        let logger = Logger.ofHost(goal == .service ? .info : .warning)
        if goal != .discovery { options.noteOtherHost(running: manifest.path) }
        do {
            let host = try Host(configuration, manifest: manifest, logger: logger)
            // After the host has the state: a second host reports the first one, and not the port that it has taken.
            let served = page.map {
                PageProcess(options: options, manifest: manifest.path, place: $0, logger: logger)
            }
            host.pageTrouble = { served?.trouble }
            let brokers = MQTTProcess(options: options, logger: logger)
            if goal == .service {
                host.onManifest = brokers.follow
                host.onEvents = { events in
                    PipeWithTimeout.standardError.together {
                        for line in EventLines(events).lines {
                            logger.info("\(line.text)", metadata: line.fields)
                        }
                    }
                }
                logger.notice(
                    "Lull runs \(manifest.path): \(Sentences.size(of: manifest)); state in \(options.folder.path)."
                )
            } else if showsProgress, Terminal.error.isInteractive {
                host.onEvents = { events in
                    for event in events where event.event == .launched {
                        if let task = event.task { Output.error("\(task) …") }
                    }
                }
            }
            // The stream of the last output, if that does not end a line.
            var openIsError: Bool?
            if showsPrinted {
                host.onPrinted = { stream, bytes in
                    Output.printed(bytes, isError: stream == .standardError)
                    if let last = bytes.last {
                        openIsError = last == UInt8(ascii: "\n") ? nil : stream == .standardError
                    }
                }
            }
            let result = try host.run()
            if let openIsError { Output.printed([UInt8(ascii: "\n")], isError: openIsError) }
            return result
        } catch {
            let failure = Failure(error.message)
            let code: Int32 = error.isHeld ? 75 : error.isStateLost ? 74 : 1
            guard JournalSocket.ofStandardError() == nil else {
                logger.critical("\(failure)")
                throw ExitCode(code)
            }
            guard code != 1 else { throw failure }
            Output.error("Error: \(failure)")
            throw ExitCode(code)
        }
    }
}

extension HistoryEvent {
    /// The fields by which a log can be searched.
    var fields: Logger.Metadata {
        var fields: Logger.Metadata = ["event": "\(event.rawValue)", "app": "\(app)"]
        if let task { fields["task"] = "\(task)" }
        if let run { fields["run"] = "\(run)" }
        if let outcome { fields["outcome"] = "\(outcome.rawValue)" }
        return fields
    }

    /// The event as a line of a log.
    var line: String {
        // A run that the host's end or its conditions cut short has not failed.
        let isCutShort = event == .failed && !isFailure
        var words = [isCutShort ? "cut short" : title, task?.text ?? app.text]
        if let run { words.append("run=\(run)") }
        if let outcome { words.append(outcome.rawValue) }
        // An `expired` has the run's time limit, which its reason names.
        if let milliseconds, event != .expired { words.append(Phrase.about(.milliseconds(milliseconds))) }
        if let transfer { words.append("– " + transfer.words { "at \($0.rfc3339)" }) }
        if let by { words.append("by " + by) }
        if let reason, !reason.isEmpty { words.append("– " + reason) }
        return words.joined(separator: " ")
    }
}
