public import LullModel

/// The notices that were delivered, are open or are held back: the fold of the events `notice` and `notified`.
///
/// Part of the ledger, so that a restart neither forgets a notice nor repeats one that is known to be delivered.
/// Bounded: held notices are counted by subject and kind.
public struct NoticeBook: Sendable, Equatable, Codable {
    /// How long a sink's notices are counted together.
    static let window: Duration = .hours(1)
    /// How many notices of one kind about one subject are sent one by one in a window; more are held for a summary.
    static let burst = 3
    /// The same for the notifications that an app sends itself.
    static let burstOfNotifications = 10
    /// How many notices in all are sent one by one to a sink in a window; failures are counted apart.
    static let most = 20
    /// How many failures in all; those beyond `most` are each the first of their subject.
    static let mostFailures = 60
    /// How many kinds of notices are held for one sink; more are counted with the last.
    static let mostHeld = 256
    /// For how many sinks the windows and the health are kept.
    static let mostSinks = 256
    /// How long a notice that its sink does not accept is tried again.
    static let timeout: Duration = .days(1)

    /// How long after its n-th attempt a notice is tried again.
    static func delay(after attempts: Int) -> Duration {
        min(.minutes(1) * (1 << min(max(attempts - 1, 0), 6)), .hours(1))
    }

    /// The health of a sink.
    public struct Health: Sendable, Equatable, Codable {
        public let sink: String
        public internal(set) var delivered: WallTime?
        /// Attempts in a row that failed.
        public internal(set) var failures = 0
        /// The reason of the last failure.
        public internal(set) var trouble: String?
        public internal(set) var troubleAt: WallTime?
    }

    struct Count: Sendable, Equatable, Codable {
        let subject: String
        let kind: NoticeKind
        var number: Int
    }

    /// The notices of one sink since `start`.
    struct Window: Sendable, Equatable, Codable {
        let sink: String
        var start: WallTime
        var told = 0
        /// Failures, which `told` does not count; nil: none.
        var toldFailures: Int?
        var counts: [Count] = []
        var held: [Count] = []
        /// The app of the first held notice, or of the first failure among them: the summary's event is about it.
        var app: AppIdentifier?
        var task: TaskIdentifier?
    }

    public internal(set) var nextNotice: UInt64 = 1
    /// In the order in which they were decided.
    public internal(set) var open: [Notice] = []
    var windows: [Window] = []
    /// In ascending order of their names.
    public internal(set) var health: [Health] = []
    /// Subjects whose failure or lateness was reported, without a success since.
    var troubled: Set<String> = []
    /// Subjects whose lateness was reported, without a success since.
    var late: Set<String> = []

    public init() {}

    // MARK: Folding

    mutating func apply(_ event: HistoryEvent) {
        guard let note = event.notice else { return }
        if note.id >= nextNotice, note.id < .max { nextNotice = note.id + 1 }
        let isOutcome = event.event == .notified
        // An event that no host writes changes nothing.
        guard isOutcome || event.event == .notice else { return }
        switch note.state {
        case .due: if !isOutcome { decide(note, event) }
        case .held: if !isOutcome { hold(note, event) }
        case .delivered: if isOutcome { end(note, event, trouble: nil) }
        case .givenUp: if isOutcome { end(note, event, trouble: event.reason ?? "given up") }
        case .failed: if isOutcome { fail(note, event) }
        // A missing desktop is no failure of the sink.
        case .handedOn: if isOutcome { open.removeAll { $0.id == note.id } }
        }
    }

    private mutating func decide(_ note: NoticeNote, _ event: HistoryEvent) {
        let notice = Notice(
            id: note.id, kind: note.kind, sink: note.sink, app: event.app, task: event.task, run: event.run,
            time: event.time, reason: event.reason ?? "", covers: note.covers,
            said: note.said)
        if !open.contains(where: { $0.id == note.id }) { open.append(notice) }
        // The notices of a summary were counted when they were held.
        if note.covers == nil { trouble(note.kind, notice.subject) }
        var window = window(of: note.sink, at: event.time)
        if note.covers != nil {
            window = Window(sink: note.sink, start: event.time)
        }
        if note.kind.isFailure {
            window.toldFailures = (window.toldFailures ?? 0) + 1
        } else {
            window.told += 1
        }
        Self.count(notice.subject, note.kind, in: &window.counts)
        put(window)
    }

    private mutating func hold(_ note: NoticeNote, _ event: HistoryEvent) {
        let subject = event.task?.text ?? event.app.text
        trouble(note.kind, subject)
        var window = window(of: note.sink, at: event.time)
        let isFirst =
            window.held.isEmpty || note.kind.isFailure && !window.held.contains(where: \.kind.isFailure)
        if isFirst { (window.app, window.task) = (event.app, event.task) }
        Self.count(subject, note.kind, in: &window.held)
        put(window)
    }

    private mutating func trouble(_ kind: NoticeKind, _ subject: String) {
        if kind.isFailure { troubled.insert(subject) }
        if kind == .recovered { recover(subject) }
        if kind == .overdue { late.insert(subject) }
    }

    private static func count(_ subject: String, _ kind: NoticeKind, in counts: inout [Count]) {
        if let place = counts.firstIndex(where: { $0.subject == subject && $0.kind == kind }) {
            counts[place].number += 1
        } else if counts.count < mostHeld {
            counts.append(Count(subject: subject, kind: kind, number: 1))
        } else {
            counts[counts.count - 1].number += 1
        }
    }

    private mutating func end(_ note: NoticeNote, _ event: HistoryEvent, trouble: String?) {
        open.removeAll { $0.id == note.id }
        changeHealth(of: note.sink) { health in
            if let trouble {
                health.failures += 1
                (health.trouble, health.troubleAt) = (trouble, event.time)
            } else {
                health.delivered = event.time
                health.failures = 0
                (health.trouble, health.troubleAt) = (nil, nil)
            }
        }
    }

    private mutating func fail(_ note: NoticeNote, _ event: HistoryEvent) {
        if let place = open.firstIndex(where: { $0.id == note.id }) {
            open[place].attempts += 1
            open[place].next = event.time + Self.delay(after: open[place].attempts)
        }
        changeHealth(of: note.sink) { health in
            health.failures += 1
            (health.trouble, health.troubleAt) = (event.reason, event.time)
        }
    }

    private mutating func changeHealth(of sink: String, _ change: (inout Health) -> Void) {
        if health.count > Self.mostSinks, let old = health.firstIndex(where: { $0.sink != sink }) {
            health.remove(at: old)
        }
        let place = health.firstIndex { $0.sink >= sink } ?? health.endIndex
        if place == health.endIndex || health[place].sink != sink {
            health.insert(Health(sink: sink), at: place)
        }
        change(&health[place])
    }

    mutating func recover(_ subject: String) {
        troubled.remove(subject)
        late.remove(subject)
    }

    // MARK: Asking

    func window(of sink: String, at time: WallTime) -> Window {
        let fresh = Window(sink: sink, start: time)
        guard let window = windows.first(where: { $0.sink == sink }) else { return fresh }
        // Held notices wait for their summary, however late that comes; after the clock was set back a new window
        // begins.
        let isOver = time - window.start >= Self.window || time < window.start
        return isOver && window.held.isEmpty ? fresh : window
    }

    private mutating func put(_ window: Window) {
        if let place = windows.firstIndex(where: { $0.sink == window.sink }) {
            windows[place] = window
        } else {
            // A sink without held notices makes room: it may have left the manifest long ago.
            if windows.count >= Self.mostSinks, let old = windows.firstIndex(where: \.held.isEmpty) {
                windows.remove(at: old)
            }
            windows.append(window)
        }
    }

    /// Whether a notice is sent by itself now, and not held.
    func admits(_ kind: NoticeKind, about subject: String, to sink: String, at time: WallTime) -> Bool {
        let window = window(of: sink, at: time)
        let count = window.counts.first { $0.subject == subject && $0.kind == kind }?.number ?? 0
        guard kind.isFailure else {
            return window.told < Self.most
                && count < (kind == .notification ? Self.burstOfNotifications : Self.burst)
        }
        // The first failure of a subject is sent at once, even if many were sent about others.
        return (window.toldFailures ?? 0) < (count == 0 ? Self.mostFailures : Self.most) && count < Self.burst
    }

    /// A time that is farther off than any wait was set before the clock was set back, and counts as due.
    static func isDue(_ time: WallTime, at now: WallTime) -> Bool { time <= now || time - now > window }

    /// When the summary of the held notices is due; nil: none is held.
    func summary(of window: Window) -> WallTime? {
        window.held.isEmpty ? nil : window.start + Self.window
    }
}

extension NoticeBook.Window {
    /// "12 more failures of com.example.Feed.refresh; 3 more outputs of …".
    var sentence: String {
        let held = byWeight
        let shown = held.prefix(20).map { count in
            let noun =
                switch count.kind {
                case .failed: count.number == 1 ? "failure" : "failures"
                case .overdue: count.number == 1 ? "late launch" : "late launches"
                case .idle: count.number == 1 ? "notice of idleness" : "notices of idleness"
                case .recovered: count.number == 1 ? "recovery" : "recoveries"
                case .reported: count.number == 1 ? "report" : "reports"
                case .output: count.number == 1 ? "output" : "outputs"
                case .notification: count.number == 1 ? "notification" : "notifications"
                case .manifest: count.number == 1 ? "refused manifest" : "refused manifests"
                }
            return "\(count.number) more \(noun) of \(count.subject)"
        }
        let more = held.count - shown.count
        return shown.joined(separator: "; ") + (more > 0 ? "; and more of \(more) others" : "")
    }

    /// Failures first.
    var byWeight: [NoticeBook.Count] { held.filter(\.kind.isFailure) + held.filter { !$0.kind.isFailure } }

    var heldNumber: Int { held.reduce(0) { $0 + $1.number } }
}
