public import LullModel
public import LullSystem

/// The processes `lull-transfer` of a host: one for each Unix user that transfers, started when there is something to do.
///
/// A process is confined to the folders that it was started for. For a new folder another is started, with all folders
/// of the user that are known by then; the older one goes when it has nothing more to do. A process in which nothing
/// has been under way for 10 s is let go, and until then there is one timer; without a process there is none. No news
/// come before the call that caused them has returned. While transfers are under way their process is asked for signs of
/// life, and one that hangs is ended, as if it had died.
public final class TransferProcesses {
    private let loop: EventLoop
    private let executable: String
    /// By this a later host finds the processes that outlive this one.
    private let mark: String
    private let environment: [String]
    private let hear: (AppIdentifier, TransferID, UInt64, TransferNews) -> Void
    private let log: (String) -> Void
    private var timer: LoopTimer?
    private var processes: [TransferProcess] = []
    private var folders: [TransferUser?: Set<String>] = [:]
    private var underWay: [TransferID: Attempt] = [:]
    /// Since when nothing has been under way in a process.
    private var idleSince: [ObjectIdentifier: MonotonicTime] = [:]
    /// Removals that processes had not done when they ended: the next one does them.
    private var removals: [TransferUser?: [TransferFrame]] = [:]
    /// Attempts that could not even begin, to be reported by the timer.
    private var refused: [(TransferID, Attempt, String)] = []

    private struct Attempt {
        let app: AppIdentifier
        let number: UInt64
        let process: TransferProcess?
    }

    /// How long a process without work is kept.
    public static let keepsIdle: Duration = .seconds(10)
    private let keepsIdle: Duration
    private let asksEvery: Duration
    /// When the processes are next asked for signs of life; nil: none has anything to do.
    private var nextAsk: MonotonicTime?

    /// Called after a process has ended; for tests, which have nothing else to wait for.
    var didEnd: () -> Void = {}

    /// The host's variables that a process gets: where the proxies and the certificates are.
    public static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]

    public init(
        loop: EventLoop, executable: String, mark: String, keepsIdle: Duration = TransferProcesses.keepsIdle,
        asksEvery: Duration = SignsOfLife.interval,
        environment: [String] = ChildProcess.environment(of: TransferProcesses.variables),
        hear: @escaping (AppIdentifier, TransferID, UInt64, TransferNews) -> Void,
        log: @escaping (String) -> Void
    ) throws(LoopError) {
        self.loop = loop
        self.executable = executable
        self.mark = mark
        self.keepsIdle = keepsIdle
        self.asksEvery = asksEvery
        self.environment = environment
        self.hear = hear
        self.log = log
        timer = try LoopTimer(on: loop) { [unowned self] in ring() }
    }

    /// The numbers of the processes that live, for people and tests.
    public var numbers: [Int32] { processes.map(\.number) }

    /// Makes one attempt. `hear` gets its news, up to the one that ends it.
    public func begin(_ start: TransferStart, app: AppIdentifier, as user: TransferUser?) {
        let process = process(for: start.folder, as: user)
        let attempt = Attempt(app: app, number: start.attempt, process: process.value)
        guard let process = process.value else { return refuse(start.id, attempt, process.sentence) }
        guard process.send(.begin(start)) else {
            return refuse(start.id, attempt, "The transfer's order is longer than one message.")
        }
        underWay[start.id] = attempt
        settle()
    }

    /// Stops a transfer: no news of it come from now on. Unless `keepsPart`, its files are removed.
    public func stop(_ id: TransferID, keepsPart: Bool) {
        refused.removeAll { $0.0 == id }
        guard let attempt = underWay.removeValue(forKey: id) else { return }
        attempt.process?.send(.stop(id, keepsPart: keepsPart))
        settle()
    }

    /// Removes the files of a transfer that is over.
    public func remove(folder: String, stem: UInt64, upload: String?, as user: TransferUser?) {
        let process = process(for: folder, as: user)
        let frame = TransferFrame.remove(folder: folder, stem: stem, upload: upload)
        if let process = process.value {
            process.send(frame)
        } else {
            log("Files of a transfer stay in \(folder) for now: \(process.sentence)")
            keep([frame], for: user)
        }
        settle()
    }

    /// Keeps removals for the next process. The host's next start finds those beyond the limit.
    private func keep(_ frames: [TransferFrame], for user: TransferUser?) {
        guard !frames.isEmpty else { return }
        removals[user] = (removals[user] ?? []).suffix(Self.mostRemovals) + frames.suffix(Self.mostRemovals)
    }

    private static let mostRemovals = 1000

    /// Lets all processes go: each finishes what is under way in it, and exits. No news come any more.
    public func end() {
        underWay = [:]
        refused = []
        for process in processes { process.letGo() }
        timer?.arm(nil)
    }

    private func process(for folder: String, as user: TransferUser?) -> (
        value: TransferProcess?, sentence: String
    ) {
        folders[user, default: []].insert(folder)
        let known = processes.last { $0.user == user && $0.isListening && $0.folders.contains(folder) }
        if let known { return (known, "") }
        do throws(TransferProcess.Refusal) {
            let process = try TransferProcess(
                executable, mark: mark, as: user, folders: folders[user] ?? [], environment: environment,
                on: loop, log: log,
                hear: { [weak self] in self?.hear($1, attempt: $2, $3, from: $0) },
                ended: { [weak self] in self?.bury($0, $1) })
            processes.append(process)
            for frame in removals.removeValue(forKey: user) ?? [] { process.send(frame) }
            return (process, "")
        } catch {
            return (nil, error.sentence)
        }
    }

    private func refuse(_ id: TransferID, _ attempt: Attempt, _ sentence: String) {
        refused.append((id, attempt, sentence))
        settle()
    }

    private func hear(
        _ id: TransferID, attempt: UInt64, _ news: TransferNews, from process: TransferProcess
    ) {
        // News of a transfer that was stopped, or that another process makes by now, are ignored.
        guard let known = underWay[id], known.number == attempt, known.process === process else { return }
        if !news.isProgress {
            underWay[id] = nil
            settle()
        }
        hear(known.app, id, attempt, news)
    }

    private func bury(_ process: TransferProcess, _ how: String) {
        processes.removeAll { $0 === process }
        keep(process.removals, for: process.user)
        idleSince[ObjectIdentifier(process)] = nil
        let lost = underWay.filter { $0.value.process === process }.sorted { $0.key < $1.key }
        for (id, _) in lost { underWay[id] = nil }
        // Pending removals need their folder.
        if removals[process.user] == nil, !processes.contains(where: { $0.user == process.user }) {
            folders[process.user] = nil
        }
        settle()
        for (id, attempt) in lost {
            hear(attempt.app, id, attempt.number, .interruption("lull-transfer \(how)."))
        }
        didEnd()
    }

    /// The processes with transfers under way.
    private var busy: Set<ObjectIdentifier> {
        Set(underWay.values.compactMap { $0.process.map(ObjectIdentifier.init) })
    }

    /// Whether it has something to do, or should have ended.
    private func isAsked(_ process: TransferProcess, _ busy: Set<ObjectIdentifier>) -> Bool {
        process.isDismissed || busy.contains(ObjectIdentifier(process))
    }

    private func settle() {
        let busy = busy
        let now = Clock.monotonic
        for process in processes where !process.isLetGo {
            let id = ObjectIdentifier(process)
            idleSince[id] = busy.contains(id) ? nil : idleSince[id] ?? now
        }
        nextAsk = processes.contains { isAsked($0, busy) } ? nextAsk ?? now + asksEvery : nil
        let idleEnd = idleSince.values.min().map { $0 + keepsIdle }
        timer?.arm(refused.isEmpty ? [idleEnd, nextAsk].compactMap { $0 }.min() : now)
    }

    private func ring() {
        let told = refused
        refused = []
        let now = Clock.monotonic
        for process in processes {
            guard let since = idleSince[ObjectIdentifier(process)], since + keepsIdle <= now else { continue }
            idleSince[ObjectIdentifier(process)] = nil
            process.dismiss()
        }
        if let time = nextAsk, time <= now {
            nextAsk = nil
            let busy = busy
            for process in processes where isAsked(process, busy) { process.ask(every: asksEvery) }
        }
        settle()
        for (id, attempt, sentence) in told {
            hear(attempt.app, id, attempt.number, .interruption(sentence))
        }
    }
}

extension TransferNews {
    public var isProgress: Bool { if case .progressed = self { true } else { false } }

    public static func interruption(_ sentence: String) -> TransferNews {
        .interrupted(sentence: sentence, retryAfter: nil, received: 0)
    }
}
