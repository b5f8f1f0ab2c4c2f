internal import CLullShims
internal import Glibc

/// All processes of an app, stopped together and let go on together.
///
/// A delegated control group is frozen by the kernel as a whole, and nothing in it undoes that. Other processes get
/// SIGSTOP, again and again until a look finds no new one. An app can undo such a stop: by a timer that sends SIGCONT,
/// or by the end of a parent. The kernel sends no event for that, so later looks find the processes that go on, and
/// stop them again. Processes that the app itself had stopped stay so.
struct Freeze {
    /// The processes that this has stopped.
    private var stopped: [pid_t: ProcessTable.Entry] = [:]
    /// Each process as it was when it was last told to stop.
    private var told: [pid_t: ProcessTable.Entry] = [:]
    private let group: AppGroup?
    /// Whether all of the app was stopped. A process that may not be signalled goes on.
    private(set) var isComplete = false
    /// Whether the kernel keeps all of it stopped, so that no later look is needed.
    private(set) var isLasting = false
    /// Whether the last look found all of it stopped.
    private(set) var isQuiet = true
    private var wasLookedAt = false

    /// All of the app when it was stopped.
    var members: Set<pid_t> { Set(told.keys) }

    init(ofSupervisor supervisor: pid_t, _ group: AppGroup?) {
        self.group = group?.freeze(true) == true ? group : nil
        var (refused, signalled) = (false, false)
        // An app that forks faster than it can be stopped is not frozen.
        for _ in 0..<32 {
            let fresh = ProcessTable.descendants(of: supervisor).filter { told[$0.pid] == nil }
            if fresh.isEmpty {
                isComplete = !refused
                isLasting = isComplete && !signalled
                return
            }
            let held = self.group?.processes ?? []
            for entry in fresh {
                told[entry.pid] = entry
                guard !entry.isZombie, !held.contains(entry.pid) else { continue }
                signalled = true
                if !entry.isStopped, !stop(entry) { refused = true }
            }
        }
    }

    /// Stops the running ones among `members`, which are all processes of the app now, and returns those that have gone
    /// on although they had been stopped.
    ///
    /// A process stops late when it is in the kernel or gets no processor: the first look after a stop only notes what
    /// it has used by then. From the next look on, more time in user mode is a proof that it went on, and so is a new
    /// process. Time in the kernel is none: a large write ends before the process stops. A sleep is a proof at once,
    /// for SIGSTOP ends a sleep.
    mutating func look(at members: [ProcessTable.Entry]) -> [ProcessTable.Entry] {
        let held = group?.processes ?? []
        let own = Set(members.map(\.pid))
        defer { wasLookedAt = true }
        isQuiet = true
        return members.filter { entry in
            guard !entry.isZombie, !held.contains(entry.pid) else { return false }
            let earlier = told[entry.pid].flatMap { $0.started == entry.started ? $0 : nil }
            let hasRun = earlier.map { entry.hasRun(since: $0) } ?? true
            guard hasRun || entry.isAwake, !entry.isTraced(byNoneOf: own) else { return false }
            guard stop(entry) else { return false }
            isQuiet = false
            // A process that has used nothing since is still compared with its earlier state.
            if hasRun { told[entry.pid] = entry }
            return hasRun && wasLookedAt || earlier != nil && entry.state == "S"
        }
    }

    func end() {
        _ = group?.freeze(false)
        for entry in stopped.values { _ = entry.signal(SIGCONT) }
    }

    /// False: this process may not.
    private mutating func stop(_ entry: ProcessTable.Entry) -> Bool {
        guard entry.signal(SIGSTOP) else { return false }
        stopped[entry.pid] = entry
        return true
    }
}

extension ProcessTable.Entry {
    /// In ticks: what a process may use until it has stopped, 50 ms.
    private static let tolerance = Consumption.ticksPerSecond / 20

    /// Whether it has done more than it may between a stop and its effect.
    func hasRun(since earlier: Self) -> Bool { inUserMode - earlier.inUserMode > Self.tolerance }

    /// Signals the very process that was seen. False: this process may not. One that is gone needs none.
    func signal(_ number: Int32) -> Bool {
        guard let pidfd = open() else { return true }
        defer { close(pidfd) }
        return lull_pidfd_signal(pidfd, number) != EPERM
    }

    /// By its first thread: it runs, or waits for what a signal ends.
    fileprivate var isAwake: Bool { state == "R" || state == "S" }

    /// Whether a process outside the app traces it: a debugger, which alone decides whether it goes on.
    fileprivate func isTraced(byNoneOf family: Set<pid_t>) -> Bool {
        let label = "TracerPid:"
        let status = ProcessTable.contents(of: "/proc/\(pid)/status", atMost: 4096) ?? []
        let line = status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: label.utf8) }
        let number = line.map { String(decoding: $0.dropFirst(label.utf8.count), as: UTF8.self) }
        guard let tracer = number.flatMap({ pid_t($0.filter(\.isNumber)) }) else { return false }
        return tracer > 0 && !family.contains(tracer)
    }
}
