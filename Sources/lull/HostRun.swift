import ArgumentParser
import Logging
import LullHost
import LullModel

/// A host in the foreground of this command.
struct HostRun {
    let options: StateOptions
    let manifest: Manifest
    let goal: HostConfiguration.Goal
    var interval: Duration?
    var showsProgress = false

    func run() throws -> HostResult {
        let configuration = HostConfiguration(
            goal: goal, state: options.folder, manifestPath: options.absolute(manifest.path),
            pluginPath: options.pluginPath, roots: options.roots, worker: options.worker,
            passInterval: interval)
        var logger = Logger(label: "lull") { _ in LineLog() }
        logger.logLevel = goal == .service ? .info : .warning
        do {
            let host = try Host(configuration, manifest: manifest, logger: logger)
            if goal == .service {
                host.onEvent = { [logger] event in logger.info("\(event.line)") }
                logger.notice(
                    "Lull runs \(manifest.path): \(Sentences.size(of: manifest)); state in \(options.folder.path)."
                )
            } else if showsProgress, Terminal.error.isInteractive {
                host.onEvent = { event in
                    if event.event == .launched, let task = event.task { Output.error("\(task) …") }
                }
            }
            return try host.run()
        } catch {
            let failure = Failure(error.message)
            guard error.isHeld || error.isStateLost else { throw failure }
            Output.error("Error: \(failure)")
            throw ExitCode(error.isHeld ? 75 : 74)
        }
    }
}

extension HistoryEvent {
    /// The event as a line of a log.
    var line: String {
        var words = [event.rawValue, task?.text ?? app.text]
        if let run { words.append("run=\(run)") }
        if let outcome { words.append(outcome.rawValue) }
        if let milliseconds { words.append(Phrases.span(.milliseconds(milliseconds))) }
        if let reason, !reason.isEmpty { words.append("– " + reason) }
        return words.joined(separator: " ")
    }
}
