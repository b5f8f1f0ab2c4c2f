import LullManifest
import LullModel
import LullScheduler
import LullSystem

/// Readings of the manifest: the one under way, the callers that wait for the next, and the retries.
struct Reloads {
    var isUnderWay = false
    /// The callers that wait for the next reading.
    var waiting: [(String) -> Void] = []
    /// Consecutive failures that may pass by themselves.
    var failures = 0
    var timer: LoopTimer?
    /// Nobody asked for the reading under way.
    var isRetry = false

    /// The wait before it is read again although no change was noticed.
    static func gap(after failures: Int) -> Duration {
        min(.seconds(1) * (1 << min(max(failures - 1, 0), 9)), .minutes(5))
    }
}

/// Reads the manifest again while the host goes on: looking up the owners of its files may hang in a name service.
extension Host {
    /// Puts the manifest that was read before the host existed in force, as a reload does.
    func start() {
        reloads.isUnderWay = true
        take(manifest) { [unowned self] in
            if !configuration.refused.isEmpty {
                log(configuration.refused)
                _ = refuse(sentence(on: configuration.refused), mayPass: Self.mayPass(configuration.refused))
            } else {
                handle(.manifestJudged("\(configuration.manifestPath) is in force again", isInForce: true))
            }
            begin()
            reloadEnded()
        }
    }

    /// A bad manifest leaves the old one in force; `told` gets the result as a sentence.
    func reload(_ told: @escaping (String) -> Void = { _ in }) {
        // The reading under way may have begun before the caller's change.
        reloads.waiting.append(told)
        if !reloads.isUnderWay { readAgain() }
    }

    private func readAgain() {
        let asking = reloads.waiting
        (reloads.isUnderWay, reloads.waiting) = (true, [])
        configuration.manager?.reloading()
        // Before the reading, so that changes during it are noticed.
        manifestWatch?.note()
        let read = configuration.readManifest
        let (path, plugins, inForce) = (configuration.manifestPath, configuration.pluginPath, manifest)
        blocking.run(within: configuration.readWait) {
            read(path, plugins, inForce)
        } then: { [unowned self] result in
            judge(result) { [unowned self] sentence in
                if !isShuttingDown { configuration.manager?.ready(serviceStatus) }
                for told in asking { told(sentence) }
                reloadEnded()
            }
        }
    }

    private func reloadEnded() {
        reloads.isUnderWay = false
        // Also after a refusal: somebody may have edited the fleet's manifest.
        fleet?.follower?.look()
        if !reloads.waiting.isEmpty { readAgain() }
    }

    private func judge(_ result: ManifestResult?, then tell: @escaping (String) -> Void) {
        guard let result else { return tell(refuse(lateness, mayPass: true)) }
        log(result.diagnostics)
        guard let manifest = result.manifest else {
            return tell(refuse(sentence(on: result.diagnostics), mayPass: Self.mayPass(result.diagnostics)))
        }
        (manifestTrouble, reloads.failures) = (nil, 0)
        reloads.timer?.arm(nil)
        take(manifest) { [unowned self] in
            guard !isShuttingDown else {
                return tell("The host is shutting down; the manifest did not come into force.")
            }
            let sentence = "\(configuration.manifestPath) is in force: \(Sentences.size(of: manifest))."
            handle(
                .manifestJudged("\(configuration.manifestPath) is in force again", isInForce: true))
            logger.notice("\(sentence)")
            tell(sentence)
        }
    }

    /// The sentence on a manifest with errors. `lull check` looks further than a host does, and counts them.
    private func sentence(on diagnostics: [Diagnostic]) -> String {
        let errors = diagnostics.filter { $0.severity == .error }
        let path = configuration.manifestPath
        let place = errors.first.flatMap { error -> String? in
            guard error.line > 0 else { return nil }
            return path == error.path || path.hasSuffix("/" + error.path)
                ? "on line \(error.line)" : "at \(error.path):\(error.line)"
        }
        let what =
            switch (errors.count, place) {
            case (1, let place?): "has an error \(place)"
            case (_, let place?): "has errors, the first \(place)"
            case (1, nil): "can't be used: \(errors.first?.message ?? "")"
            case (_, nil): "has errors"
            }
        return "\(path) \(what); the previous manifest stays in force. "
            + "`lull check \(path)` shows all that is wrong."
    }

    /// Logs each diagnostic once, however often the same files are read again.
    private func log(_ diagnostics: [Diagnostic]) {
        let lines = diagnostics.map(\.logged)
        let known = Set(lastDiagnostics)
        for (diagnostic, line) in zip(diagnostics, lines) where !known.contains(line) {
            logger.log(level: diagnostic.severity == .error ? .error : .warning, "\(line)")
        }
        lastDiagnostics = lines
    }

    private var lateness: String {
        if let shortage = blocking.shortage {
            return
                "\(configuration.manifestPath) could not be read, because the host could make no thread: \(shortage) "
                + "The previous manifest stays in force. Lull tries again by itself."
        }
        return
            "\(configuration.manifestPath), or the permissions of it and its plugins, could not be read within "
            + "\(configuration.readWait.components.seconds) s, because a name service or a disk of this machine does "
            + "not answer; the previous manifest stays in force. Lull tries again by itself; make sure that `lull check` answers."
    }

    private static func mayPass(_ diagnostics: [Diagnostic]) -> Bool {
        diagnostics.allSatisfy { $0.severity != .error || $0.problem.mayPass }
    }

    private func refuse(_ sentence: String, mayPass: Bool) -> String {
        let isNews = manifestTrouble != sentence
        // A reload that was asked for logs it again.
        if isNews || !reloads.isRetry { logger.error("\(sentence)") }
        reloads.isRetry = false
        if isNews {
            manifestTrouble = sentence
            handle(.manifestJudged(sentence, isInForce: false))
            noteChange()
        }
        if mayPass, configuration.goal == .service, !isShuttingDown { readLater() }
        return sentence
    }

    private func readLater() {
        if reloads.timer == nil {
            reloads.timer = try? LoopTimer(on: loop) { [unowned self] in
                reloads.isRetry = !reloads.isUnderWay
                reload()
            }
        }
        reloads.failures += 1
        reloads.timer?.arm(Clock.monotonic + Reloads.gap(after: reloads.failures))
    }
}
