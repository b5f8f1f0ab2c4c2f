public import LullModel
import LullScheduler

/// How a simulated plugin behaves when it is started.
public struct PluginModel: Sendable, Equatable {
    /// From the worker's start until the plugin is ready, in milliseconds.
    public var startMilliseconds: ClosedRange<Int64> = 40...200
    /// Nil: a handler for each task that the manifest permits.
    public var registers: [TaskIdentifier]?
    /// Submitted within the plugin's start.
    public var submitsOnStart: [SubmissionModel] = []
    /// Submitted by itself so long after that, in milliseconds.
    public var submitsLater: [SubmissionModel] = []
    public var laterMilliseconds: ClosedRange<Int64> = 1...2_000
    /// Each of its runs has a worker of its own.
    public var runsAlone = false
    /// The chance that its process dies before the plugin is ready.
    public var diesInStart = 0.0
    /// Why it can't be loaded; nil: it can.
    public var trouble: String?

    public init() {}
}

/// How a simulated handler behaves once it is launched.
public struct HandlerModel: Sendable, Equatable {
    /// How long it takes, in milliseconds.
    public var milliseconds: ClosedRange<Int64> = 200...2000
    /// The chance that it completes with `success: false`.
    public var fails = 0.0
    /// The chance that its process dies halfway.
    public var crashes = 0.0
    /// The chance that it never completes, and does not heed its expiration either.
    public var hangs = 0.0
    /// The chance that not even its launch function returns.
    public var hangsInLaunch = 0.0
    /// The chance that it completes a second time, which costs the worker its life.
    public var completesTwice = 0.0
    /// The chance that it cancels its own pending request.
    public var cancels = 0.0
    /// The chance that it reports the push that it was launched for.
    public var reports = 0.0
    /// From its expiration to its completion, in milliseconds.
    public var heedsExpirationMilliseconds: ClosedRange<Int64> = 10...500
    /// Submitted right after the launch, as an iOS handler does.
    public var submits: [SubmissionModel] = []
    /// Past runs of the task, in order. If there are any, each run goes as the one that was launched nearest to its time, and
    /// nothing of the above is drawn.
    public var past: [PastRun] = []

    public init() {}
}

/// How long a run once took, and how it ended.
public struct PastRun: Sendable, Equatable {
    public var launched: WallTime
    /// Nil: it did not end by itself.
    public var length: Duration?
    public var succeeds: Bool

    public init(launched: WallTime, length: Duration?, succeeds: Bool) {
        (self.launched, self.length, self.succeeds) = (launched, length, succeeds)
    }
}

extension [PastRun] {
    func nearest(to time: WallTime) -> PastRun? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].launched < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return first }
        guard low < count, self[low].launched - time < time - self[low - 1].launched else {
            return self[low - 1]
        }
        return self[low]
    }
}

/// A submit of a simulated plugin.
public struct SubmissionModel: Sendable, Equatable {
    public var task: TaskIdentifier
    public var kind: Kind?
    /// The earliest begin date, from the submit on; nil: at once.
    public var begin: Duration?
    public var requires: Requirements
    /// Of a continued request: at once or not at all.
    public var isImmediate = false

    public init(
        _ task: TaskIdentifier, kind: Kind? = nil, begin: Duration? = nil, requires: Requirements = .none
    ) {
        self.task = task
        self.kind = kind
        self.begin = begin
        self.requires = requires
    }

    func submission(of app: AppIdentifier, at now: WallTime) -> Submission {
        Submission(
            app: app, task: task, kind: kind, earliestBegin: begin.map { now + $0 }, requires: requires,
            isImmediate: isImmediate)
    }
}
