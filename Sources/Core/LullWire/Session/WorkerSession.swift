public import LullModel

/// What a host knows of one worker from the frames between them, and what follows from each.
///
/// It believes nothing that it reads: what can't be is a violation, and after a fatal one nothing more is heard. It has
/// no descriptor, no process and no clock, so that the real host and the simulated one have it judge alike.
public struct WorkerSession: Sendable {
    public enum Stage: Sendable, Equatable {
        /// Until the plugin's `hello`; launches wait.
        case starting
        case ready
        /// Killed or asked to end; `reason` says why. Only its end is awaited.
        case ending(reason: String)
    }

    /// How many submits of a worker may wait for their answers.
    public static let openSubmits = 1024

    public let app: AppIdentifier
    let permits: [SessionPermit]
    /// Where each identifier stands in `permits`: there may be thousands.
    private let places: [TaskIdentifier: Int]
    public internal(set) var stage = Stage.starting
    /// What the worker said kept it from starting.
    public internal(set) var failure: String?
    /// Who made the plugin's entry; empty until it is ready.
    public internal(set) var sdk = ""
    /// What it uses is one run's: no second one is launched in it.
    public internal(set) var runsAlone = false
    /// What keeps the app from being suspended, by name.
    public internal(set) var activities: [UInt64: String] = [:]
    /// The launches that the host has made and the plugin has not completed.
    public internal(set) var runs: Set<UInt64> = []
    /// The plugin's submits without an answer yet.
    public internal(set) var submits: [UInt64: SubmitID] = [:]
    /// The plugin's visits of its transfers without an answer yet, and behind which transfer each goes on.
    var visits: [UInt64: TransferID] = [:]
    /// Its socket means nothing any more.
    public private(set) var isClosed = false

    /// What the plugin has registered until it was ready, and all that it has.
    var registered: [TaskIdentifier] = []
    var registeredAtAll: Set<TaskIdentifier> = []
    /// Of these, what only a wildcard permits.
    var registeredByWildcard = 0
    /// The last runs that were completed, for of them something may still be told.
    var completed = Recent<UInt64>(64)
    /// The last submits that were answered, for one may be withdrawn while its answer is on its way: as many as may wait
    /// at once may all be answered in that moment.
    var answered = Recent<(sequence: UInt64, id: SubmitID)>(WorkerSession.openSubmits)
    /// What came before the worker was ready.
    private var waiting: [HostFrame] = []

    public init(app: AppIdentifier, permits: [SessionPermit]) {
        self.app = app
        self.permits = permits
        places = Dictionary(permits.indices.map { (permits[$0].task, $0) }) { first, _ in first }
    }

    /// What is permitted of an identifier: by its own name, or else by the nearest wildcard that it fits.
    public func permit(for task: TaskIdentifier) -> SessionPermit? {
        (places[task] ?? task.wildcards.lazy.compactMap { places[$0] }.first).map { permits[$0] }
    }

    public var isReady: Bool { stage == .ready }
    public var isStarting: Bool { stage == .starting }
    public var isEnding: Bool { reason != nil }
    /// Whether there is anybody who reads what the host writes.
    var isListenedTo: Bool { !isEnding && !isClosed }

    /// Why it is to end; nil: it is not.
    public var reason: String? {
        if case .ending(let reason) = stage { reason } else { nil }
    }

    /// Why the worker can't be stopped without holding somebody up, as far as the frames say; nil: it can.
    public var obstacle: String? {
        if !runs.isEmpty { return "a run is under way" }
        if !submits.isEmpty { return "a submit has no answer yet" }
        if !activities.isEmpty { return "\(activityNames) \(activities.count == 1 ? "is" : "are") under way" }
        return nil
    }

    /// The first frames: the host and the app are introduced.
    public func opening(
        _ welcome: HostFrame.Welcome, confinement: [HostFrame], settings: String
    ) -> [HostFrame] {
        let settings = Array(settings.utf8)
        var welcome = welcome
        welcome.settingsBytes = UInt32(settings.count)
        welcome.permits = UInt32(permits.count)
        var frames = [HostFrame.welcome(welcome)] + confinement
        for start in stride(from: 0, to: settings.count, by: Wire.settingsPart) {
            let end = min(start + Wire.settingsPart, settings.count)
            frames.append(.settings(part: Array(settings[start..<end])))
        }
        for permit in permits {
            frames.append(
                .permit(
                    identifier: permit.task.text, kind: WireKind(permit.kind), settings: permit.settings))
        }
        return frames
    }

    /// What is to be sent now; nil: it waits for the plugin, or comes too late.
    public mutating func launch(
        _ run: RunID, task: TaskIdentifier, kind: Kind, deadline: MonotonicTime?, label: RequestLabel?,
        origin: String? = nil, push: PushNote? = nil
    ) -> HostFrame? {
        runs.insert(run.number)
        return sentWhenReady(
            .launch(
                run: run.number, kind: WireKind(kind), identifier: task.text,
                deadline: deadline?.nanoseconds ?? 0, label: WireLabel(label), origin: origin ?? "",
                push: WirePush(push)))
    }

    /// What is to be sent now; nil: it waits for the plugin, or comes too late.
    public mutating func expire(_ run: RunID, reason: String) -> HostFrame? {
        sentWhenReady(.expire(run: run.number, reason: reason))
    }

    private mutating func sentWhenReady(_ frame: HostFrame) -> HostFrame? {
        switch stage {
        case .starting:
            waiting.append(frame)
            return nil
        case .ready: return isClosed ? nil : frame
        case .ending: return nil
        }
    }

    /// What waited for the plugin, once it is ready.
    public mutating func takeWaiting() -> [HostFrame] {
        guard isReady else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// The answer to a submit, `refusal` nil accepts; nil where nobody waits for it any more.
    public mutating func answer(
        _ id: SubmitID, _ sequence: UInt64, _ refusal: Refusal?
    ) -> HostFrame? {
        settle(id, sequence).map {
            .submitReply(
                sequence: $0, status: refusal?.code.rawValue ?? 0, sentence: refusal?.sentence ?? "")
        }
    }

    /// The number that the answer goes to; nil where nobody waits for it any more.
    mutating func settle(_ id: SubmitID, _ sequence: UInt64) -> UInt64? {
        guard submits[sequence] == id else { return nil }
        submits[sequence] = nil
        answered.append((sequence, id))
        guard isListenedTo, !SessionMutation.dropsAnswers.isOn else { return nil }
        return SessionMutation.mistakesAnswers.isOn ? sequence + 1 : sequence
    }

    /// Lets a plugin that has cancelled go on.
    public func answerCancel(_ sequence: UInt64) -> HostFrame? {
        isListenedTo ? .cancelReply(sequence: sequence) : nil
    }

    /// The app's pending requests, in as many parts as they need.
    public func answerPending(_ sequence: UInt64, _ requests: [TaskRequest]) -> [HostFrame] {
        guard isListenedTo else { return [] }
        let wire = requests.map { WireRequest($0) }
        var frames: [HostFrame] = []
        var sent = 0
        repeat {
            let part = Array(wire[sent...].prefix(HostFrame.requestsInPart))
            sent += part.count
            frames.append(
                .pendingReply(sequence: sequence, requests: part, isLast: sent == wire.count))
        } while sent < wire.count
        return frames
    }

    /// It is told to end, or killed. The first reason counts.
    public mutating func end(reason: String) {
        if !isEnding { stage = .ending(reason: reason) }
    }

    /// The socket is closed, or has ended.
    public mutating func close() { isClosed = true }

    /// How it ended. `reason` and `wasStarting` as they were before the last frames were read: those can't change why it ended.
    public func outcome(
        reason: String?, wasStarting: Bool, isLost: Bool = false, otherwise: @autoclosure () -> String
    ) -> WorkerEvent {
        if let failure, wasStarting || reason == nil { return .failed(sentence: failure) }
        return .exited(sentence: reason ?? otherwise(), isLost: isLost)
    }

    /// What can't be; a fatal one ends the worker, and the first thing is not to listen to it any more.
    public mutating func violate(
        _ run: RunID?, task: TaskIdentifier? = nil, _ sentence: String, isFatal: Bool
    ) -> [SessionDeed] {
        let news = SessionDeed.say(.violation(run, task: task, sentence: sentence, isFatal: isFatal))
        guard isFatal else { return [news] }
        if !SessionMutation.listensOn.isOn { close() }
        return [.closeSocket, news, .kill(reason: sentence)]
    }
}
