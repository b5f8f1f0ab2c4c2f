import HeapModule
import LullModel

/// When each subject is looked at again, by wall time.
struct Agenda: Sendable {
    enum Subject: Sendable, Hashable {
        case task(TaskIdentifier)
        /// The app becomes idle by the week rule.
        case app(AppIdentifier)
        /// A notice is tried again, or a summary is due.
        case notices
        /// The task may be late.
        case lateness(TaskIdentifier)
        /// The host's heartbeat is due.
        case heartbeat
        /// A notification of the app is due.
        case notifications(AppIdentifier)
        /// A transfer of the app may be begun, or has lasted too long.
        case transfers(AppIdentifier)
    }

    private struct Entry: Sendable, Comparable {
        let time: WallTime
        let subject: Subject

        static func < (a: Self, b: Self) -> Bool { a.time < b.time }
    }

    private var times: [Subject: WallTime] = [:]
    /// An entry with another time than its subject has is stale. It is dropped when it is met; when most are stale, all at
    /// once.
    private var entries = Heap<Entry>()

    /// How many entries it keeps, stale ones too.
    var count: Int { entries.count }

    /// Nil: by time alone the subject is not looked at again.
    subscript(subject: Subject) -> WallTime? {
        get { times[subject] }
        set {
            guard let newValue else { return times[subject] = nil }
            guard times.updateValue(newValue, forKey: subject) != newValue else { return }
            entries.insert(Entry(time: newValue, subject: subject))
            if entries.count > 2 * times.count + 1024 {
                entries = Heap(entries.unordered.filter(isCurrent))
            }
        }
    }

    /// The earliest time of all.
    mutating func next() -> WallTime? {
        while let entry = entries.min {
            if isCurrent(entry) { return entry.time }
            entries.removeMin()
        }
        return nil
    }

    /// Takes out a subject whose time has come; nil: there is none.
    mutating func takeDue(at now: WallTime) -> Subject? {
        while let entry = entries.min, entry.time <= now {
            entries.removeMin()
            guard isCurrent(entry) else { continue }
            times[entry.subject] = nil
            return entry.subject
        }
        return nil
    }

    private func isCurrent(_ entry: Entry) -> Bool { times[entry.subject] == entry.time }
}
