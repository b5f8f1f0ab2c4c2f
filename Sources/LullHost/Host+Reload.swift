import LullManifest
import LullModel

/// Who waits for the manifest to be read again.
struct Reloads {
    var isUnderWay = false
    /// For the reading after that.
    var waiting: [(String) -> Void] = []
}

/// Reading the manifest again while the host goes on: whose files these are a name service says, which may hang.
extension Host {
    /// The manifest that was read before there was a host is put in force as one that is read again.
    func start() {
        reloads.isUnderWay = true
        take(manifest) { [unowned self] in
            begin()
            reloadEnded()
        }
    }

    /// A bad manifest leaves the old one in force; `told` hears what happened, as a sentence.
    func reload(_ told: @escaping (String) -> Void = { _ in }) {
        // What is being read may be older than whoever asks.
        reloads.waiting.append(told)
        if !reloads.isUnderWay { readAgain() }
    }

    private func readAgain() {
        let asking = reloads.waiting
        reloads = Reloads(isUnderWay: true, waiting: [])
        configuration.manager?.reloading()
        // Before it is read: what changes meanwhile is a change.
        manifestWatch?.note()
        let read = configuration.readManifest
        let (path, plugins) = (configuration.manifestPath, configuration.pluginPath)
        errands.run(within: configuration.readWait) {
            read(path, plugins)
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
        // Also of a manifest that is refused: somebody may have changed what the fleet has put there.
        fleet?.follower?.look()
        if !reloads.waiting.isEmpty { readAgain() }
    }

    private func judge(_ result: ManifestResult?, then tell: @escaping (String) -> Void) {
        guard let result else { return tell(refuse(lateness)) }
        log(result.diagnostics)
        guard let manifest = result.manifest else {
            return tell(refuse(sentence(on: result.diagnostics.filter { $0.severity == .error })))
        }
        manifestTrouble = nil
        take(manifest) { [unowned self] in
            guard !isShuttingDown else {
                return tell("The host is shutting down; the manifest was not put in force.")
            }
            let sentence = "\(configuration.manifestPath) is in force: \(Sentences.size(of: manifest))."
            logger.notice("\(sentence)")
            tell(sentence)
        }
    }

    /// Of a manifest with errors. How many there are says `lull check`, which looks further than a host does.
    private func sentence(on errors: [Diagnostic]) -> String {
        let path = configuration.manifestPath
        let place = errors.first.flatMap { error -> String? in
            guard error.line > 0 else { return nil }
            return error.path == path ? "on line \(error.line)" : "at \(error.path):\(error.line)"
        }
        let what =
            switch (errors.count, place) {
            case (1, let place?): "has an error \(place)"
            case (_, let place?): "has errors, the first \(place)"
            case (_, nil): "has errors"
            }
        return "\(path) \(what); the manifest read before stays in force. "
            + "`lull check \(path)` shows all that is wrong."
    }

    /// Each once, however often the same files are read again.
    private func log(_ diagnostics: [Diagnostic]) {
        let lines = diagnostics.map(\.logged)
        let known = Set(lastDiagnostics)
        for (diagnostic, line) in zip(diagnostics, lines) where !known.contains(line) {
            logger.log(level: diagnostic.severity == .error ? .error : .warning, "\(line)")
        }
        lastDiagnostics = lines
    }

    private var lateness: String {
        if let shortage = errands.shortage {
            return
                "\(configuration.manifestPath) could not be read, for the host could make no thread: \(shortage) "
                + "The manifest read before stays in force. Send SIGHUP when that is mended."
        }
        return "\(configuration.manifestPath), or who may write it and its plugins, could not be read within "
            + "\(configuration.readWait.components.seconds) s, for a name service or a disk of this machine does "
            + "not answer; the manifest read before stays in force. Once `lull check` answers, send SIGHUP."
    }

    private func refuse(_ sentence: String) -> String {
        logger.error("\(sentence)")
        manifestTrouble = sentence
        noteChange()
        return sentence
    }
}
