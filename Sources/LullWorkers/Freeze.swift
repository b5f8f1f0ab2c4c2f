internal import CLullShims
internal import Glibc

/// All processes of an app, stopped together and let go on together.
///
/// Where a control group is delegated the kernel freezes it as a whole. Else each is stopped by a signal, again and again until a
/// look finds none that was not. What the app itself had stopped stays so.
struct Freeze {
    /// Whom this has stopped.
    private var stopped: [ProcessTable.Entry] = []
    private let group: AppGroup?
    /// Whether nothing of the app goes on. Who may not be signalled does.
    private(set) var isComplete = false
    /// All of the app when it was stopped.
    private(set) var members: Set<pid_t> = []

    init(ofKeeper keeper: pid_t, _ group: AppGroup?) {
        self.group = group?.freeze(true) == true ? group : nil
        var refused = false
        // Who makes processes faster than they can be stopped is not frozen.
        for _ in 0..<32 {
            let fresh = ProcessTable.descendants(of: keeper).filter { members.insert($0.pid).inserted }
            if fresh.isEmpty {
                isComplete = !refused
                return
            }
            guard self.group == nil else { continue }
            for entry in fresh where !entry.isZombie && !entry.isStopped {
                if entry.signal(SIGSTOP) { stopped.append(entry) } else { refused = true }
            }
        }
    }

    func end() {
        if group?.freeze(false) == true { return }
        for entry in stopped { _ = entry.signal(SIGCONT) }
    }
}

extension ProcessTable.Entry {
    /// Signals the very process that was seen. False: this process may not. One that is gone needs none.
    func signal(_ number: Int32) -> Bool {
        guard let pidfd = open() else { return true }
        defer { close(pidfd) }
        return lull_pidfd_signal(pidfd, number) != EPERM
    }
}
