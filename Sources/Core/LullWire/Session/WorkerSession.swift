public import LullModel

/// The state of one worker as its host knows it from their frames, and the consequences of each frame.
///
/// It trusts no frame: an impossible one is a violation, and after a fatal violation no more frames are handled. It has no
/// descriptor, no process and no clock, so the real host and the simulated one share it.
public struct WorkerSession: Sendable {
    public enum Stage: Sendable, Equatable {
        /// Until the plugin's `hello`; launches wait.
        case starting
        case ready
        /// Killed or asked to end; `reason` says why. The host only waits for its end.
        case ending(reason: String)
    }

    /// The most submits of a worker that may wait for answers.
    public static let openSubmits = 1024

    public let app: AppIdentifier
    let permits: [SessionPermit]
    /// The index of each identifier in `permits`, of which there may be thousands.
    private let places: [TaskIdentifier: Int]
    public internal(set) var stage = Stage.starting
    /// The reason that the worker gave for its failure to start.
    public internal(set) var failure: String?
    /// It failed for want of what the machine may have again.
    var isHeldBack = false
    /// The SDK that made the plugin's entry; empty until it is ready.
    public internal(set) var sdk = ""
    /// Whether it serves one run only: no second one is launched in it.
    public internal(set) var runsAlone = false
    /// The names of the activities that keep the app from being suspended.
    public internal(set) var activities: [UInt64: String] = [:]
    /// The runs that the host has launched and the plugin has not completed.
    public internal(set) var runs: Set<UInt64> = []
    /// The plugin's submits without an answer yet.
    public internal(set) var submits: [UInt64: SubmitID] = [:]
    /// The plugin's queries of its transfers without an answer yet, and the transfer after which each goes on.
    var visits: [UInt64: TransferID] = [:]
    /// Whether the socket is closed, or its frames are ignored.
    public private(set) var isClosed = false

    /// The tasks that the plugin registered before it was ready, and all tasks that it has registered.
    var registered: [TaskIdentifier] = []
    var registeredAtAll: Set<TaskIdentifier> = []
    /// The number of these that only a wildcard permits.
    var registeredByWildcard = 0
    /// The last completed runs, because frames about them may still come.
    var completed = Recent<UInt64>(64)
    /// The last answered submits, because one may be withdrawn while its answer is on its way. All submits that may wait at once
    /// may be answered in that moment, hence the same limit.
    var answered = Recent<(sequence: UInt64, id: SubmitID)>(WorkerSession.openSubmits)
    /// The frames for the worker from before it was ready.
    private var waiting: [HostFrame] = []

    public init(app: AppIdentifier, permits: [SessionPermit]) {
        self.app = app
        self.permits = permits
        places = Dictionary(permits.indices.map { (permits[$0].task, $0) }) { first, _ in first }
    }

    /// The permit of an identifier: under its own name, or else under the most specific wildcard that matches it.
    public func permit(for task: TaskIdentifier) -> SessionPermit? {
        (places[task] ?? task.wildcards.lazy.compactMap { places[$0] }.first).map { permits[$0] }
    }

    public var isReady: Bool { stage == .ready }
    public var isStarting: Bool { stage == .starting }
    public var isEnding: Bool { reason != nil }
    /// Whether the worker still reads frames.
    var isListenedTo: Bool { !isEnding && !isClosed }

    /// Why it has to end; nil: it does not.
    public var reason: String? {
        if case .ending(let reason) = stage { reason } else { nil }
    }

    /// Why the worker can't be suspended now, as far as the frames show; nil: it can.
    public var obstacle: String? {
        if !runs.isEmpty { return "a run is under way" }
        if !submits.isEmpty { return "a submit has no answer yet" }
        if !activities.isEmpty { return "\(activityNames) \(activities.count == 1 ? "is" : "are") under way" }
        return nil
    }

    /// The first frames to the worker, which introduce the host and the app.
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

    /// Records a launch and returns the frame to send now; nil: it waits for the plugin, or comes too late.
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

    /// The frame to send now; nil: it waits for the plugin, or comes too late.
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

    /// Removes and returns the frames that waited for the plugin, once it is ready.
    public mutating func takeWaiting() -> [HostFrame] {
        guard isReady else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// The reply to a submit; `refusal` nil accepts it. Nil: the plugin no longer waits for it.
    public mutating func answer(
        _ id: SubmitID, _ sequence: UInt64, _ refusal: Refusal?
    ) -> HostFrame? {
        settle(id, sequence).map {
            .submitReply(
                sequence: $0, status: refusal?.code.rawValue ?? 0, sentence: refusal?.sentence ?? "")
        }
    }

    /// The sequence number for the answer; nil: the plugin no longer waits for it.
    mutating func settle(_ id: SubmitID, _ sequence: UInt64) -> UInt64? {
        guard submits[sequence] == id else { return nil }
        submits[sequence] = nil
        answered.append((sequence, id))
        guard isListenedTo, !SessionMutation.dropsAnswers.isOn else { return nil }
        return SessionMutation.mistakesAnswers.isOn ? sequence + 1 : sequence
    }

    /// The reply to a cancellation, for which the plugin waits.
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

    /// The worker was asked to end, or killed. The first reason counts.
    public mutating func end(reason: String) {
        if !isEnding { stage = .ending(reason: reason) }
    }

    /// The socket is closed, or has ended.
    public mutating func close() { isClosed = true }

    /// The event for the end of the worker. `reason` and `wasStarting` are the values before the last frames were read: those
    /// can't change why it ended.
    public func outcome(
        reason: String?, wasStarting: Bool, isLost: Bool = false, otherwise: @autoclosure () -> String
    ) -> WorkerEvent {
        if let failure, wasStarting || reason == nil {
            return isHeldBack ? .heldBack(sentence: failure) : .failed(sentence: failure)
        }
        return .exited(sentence: reason ?? otherwise(), isLost: isLost)
    }

    /// Reports a violation. A fatal one ends the worker, and first of all its frames are no longer handled.
    public mutating func violate(
        _ run: RunID?, task: TaskIdentifier? = nil, _ sentence: String, isFatal: Bool
    ) -> [SessionDeed] {
        let news = SessionDeed.say(.violation(run, task: task, sentence: sentence, isFatal: isFatal))
        guard isFatal else { return [news] }
        if !SessionMutation.listensOn.isOn { close() }
        return [.closeSocket, news, .kill(reason: sentence)]
    }
}
