import ArgumentParser
import Glibc
import Logging
import LullCommands
import LullControl
import LullHost
import LullManifest
import LullModel
import LullSystem

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the host: as a service, or for one pass with --once.",
        usage: "lull run [<options>] [<file>]",
        discussion: """
            As a service, the host sleeps until the next moment that matters. It reads the manifest again when \
            it changes, and on SIGHUP; if the new one has an error, the old one stays in force. On SIGTERM it \
            tells current runs that their time is up, waits for them, and ends.

            With --once it launches what may and should be launched now, waits for the runs, and says what \
            ran, what waits and why. It exits with 0 if nothing failed and every plugin could be loaded, with \
            1 otherwise, and with 75 if another host or pass uses the state.

            With --http, a separate process serves a page that shows all of this, and the figures under \
            /metrics. If the page can't be served, `lull status` says why, and the host goes on. A socket unit \
            can give the address instead of --http.

            It exits with 74 if its state is deleted, moved, unmounted or damaged while it runs. Start it \
            again once the folder is back.

            Examples:
              lull run /etc/lull/jobs.yaml
              lull run --http 127.0.0.1:8320 /etc/lull/jobs.yaml
              lull run --once
              */5 * * * * lull run --once --every 5m /etc/lull/jobs.yaml
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: StateOptions.manifestHelp("The manifest")) var file: String?
    @Flag(help: "Make one pass and exit, for cron.") var once = false
    @Option(
        help: ArgumentHelp(
            "How often --once is called, such as 5m. So the pass knows what can wait for the next call.",
            discussion: "Without it, Lull learns this from earlier passes.", valueName: "span"),
        transform: SpanArgument.told)
    var every: SpanArgument?
    @Flag(help: "With --once: print JSON.") var json = false
    @Option(
        help: ArgumentHelp(
            "A group whose members may look at everything, and change nothing.",
            discussion: "Without it only root and the host's user may ask the host and read its history.",
            valueName: "group"), transform: GroupArgument.told)
    var readers: GroupArgument?
    @Option(
        help: ArgumentHelp(
            "Serve the page at this address, such as 127.0.0.1:8320; port 0 takes a free one.",
            discussion: "Without it no page is served.", valueName: "address:port"))
    var http: WebAddressArgument?
    @OptionGroup var web: WebOptions

    func validate() throws {
        if every != nil, !once {
            throw ValidationError("--every says how often --once is called; give both.")
        }
        if http != nil, once {
            throw ValidationError("--http is for a service, not for --once: leave out one of them.")
        }
        if json, !once {
            throw ValidationError("--json is for --once; as a service, ask `lull status --json`.")
        }
    }

    func run() throws {
        let page: PagePlace?
        do {
            page = try pagePlace()
        } catch {
            throw Failure(error.message)
        }
        if page == nil, web.isGiven {
            throw ValidationError(
                "--http-open, --http-name and --http-user-header are about the page; give --http too.")
        }
        try refuseTask()
        let (manifest, refused) = try readManifest()
        // A service reports it in its log and its status.
        if once {
            let settings = SettingsCheck(manifest, places: KeyPlaces(of: manifest)).notes
            for text in NoteList(settings.filter { $0.severity == .error }).rendered(for: .error) {
                Output.error(styled: text)
            }
        }
        let goal: HostConfiguration.Goal = once ? .pass : .service
        let result = try HostRun(
            options: options, manifest: manifest, goal: goal, interval: every?.span,
            showsProgress: once && !json, readers: readers?.number, page: page, refused: refused
        ).run()
        guard once else {
            // The host was ended while the history could not be written, so the last events are missing from it.
            if result.trouble { throw ExitCode(74) }
            return
        }
        if json {
            try Output.json(PassReport(result))
        } else {
            Output.answer(styled: PassText(result: result, phrases: .current).rendered(for: .output))
        }
        if result.trouble || !refused.isEmpty
            || result.report.apps.contains(where: { $0.isEnabled && $0.trouble != nil })
            || result.pass.ended.contains(where: \.isFailure)
        {
            throw ExitCode(1)
        }
    }
}

extension RunCommand {
    /// The service manager's socket exists before this host, and stays open while the host restarts.
    private func pagePlace() throws(WebError) -> PagePlace? {
        let listener: WebListener? =
            if !once, let socket = ServiceManager.givenSockets().first {
                try WebListener(given: socket)
            } else {
                nil
            }
        guard let address = listener?.address ?? http?.address else { return nil }
        try web.check(address)
        return PagePlace(address: address, given: listener, options: web)
    }

    /// Refuses `lull run nightly`, which means a task, unless a file has that name.
    private func refuseTask() throws {
        guard let file, !file.contains("/"), !file.hasSuffix(".yaml"), !file.hasSuffix(".yml"),
            access(file, F_OK) != 0
        else { return }
        throw Failure(
            "`lull run` takes a manifest, and there is no file '\(file)'. `lull launch \(file)` runs a task of that name."
        )
    }

    /// Uses the last manifest that this state's host had in force if the file has errors.
    ///
    /// Its problems go to the journal as one entry each, without the manifest's lines: others may read the journal.
    private func readManifest() throws -> (manifest: Manifest, refused: [Diagnostic]) {
        let result = options.read(file)
        let path = options.manifestPath(file)
        let kept = result.manifest == nil ? options.folder.manifest(lastInForceFrom: path) : nil
        if JournalSocket.ofStandardError() != nil {
            // A host that starts all the same logs them itself.
            if let kept { return (kept, result.diagnostics) }
            log(result.diagnostics)
            if let manifest = result.manifest { return (manifest, []) }
            Logger.ofHost(.info).critical("\(options.displayed(path)) has errors. Nothing was started.")
            throw ExitCode(1)
        }
        if let kept {
            options.show(result, showsWarnings: true)
            return (kept, result.diagnostics)
        }
        return (try options.manifest(of: result, path, showsWarnings: true), [])
    }

    private func log(_ diagnostics: [Diagnostic]) {
        let logger = Logger.ofHost(.info)
        for problem in diagnostics {
            logger.log(
                level: problem.severity == .error ? .error : .warning, "\(problem.logged)",
                metadata: ["file": "\(problem.path)", "line": "\(problem.line)"])
        }
    }
}
