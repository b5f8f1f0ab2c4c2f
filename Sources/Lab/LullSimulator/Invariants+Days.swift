import LullModel
import LullScheduler

/// Checks that nothing is launched on a closed day, with its own count of days and its own look at the lists.
extension Invariants {
    mutating func checkDay(_ subject: Subject, _ frame: Frame) {
        let (task, now) = (subject.task, frame.now.wall)
        guard let days = task.days, subject.launch.kind != .transfers else { return }
        let local = zones[task.timezone].local(now)
        if task.windows.isEmpty {
            guard !days.permit(local), !isJustLate(subject, days, at: now) else { return }
            fault("\(subject.name) is launched on a closed day")
        } else {
            // A window belongs to the day on which it opened.
            let ages = task.windows.compactMap { age(of: $0, local) }
            if ages.isEmpty || ages.contains(where: { days.permit(local, ago: $0) }) { return }
            fault("\(subject.name) is launched in a window that opened on a closed day")
        }
    }

    /// Whether it is for a time of `at` on an open day that is no later than its tolerance, or an attempt after that.
    private func isJustLate(_ subject: Subject, _ days: OpenDays, at now: WallTime) -> Bool {
        let task = subject.task
        guard task.at != nil, let request = subject.request else { return false }
        // A request for a boot has no time, or one that is still to come.
        let time = request.occurrence?.time.flatMap { times.due($0, task) <= now ? $0 : nil }
        let begin = request.origin == .at ? request.earliestBegin : nil
        guard let first = time ?? begin, days.permit(zones[task.timezone].local(first)) else { return false }
        let isAttempt = begin != nil && stories[subject.name]?.tried ?? 0 > 0
        let due = isAttempt ? begin ?? first : time.map { times.due($0, task) } ?? first
        return due <= now && now - due <= task.tolerance
    }
}

extension OpenDays {
    /// Whether the day of a local time is open, or the one so many days before it.
    func permit(_ local: LocalTime, ago: Int = 0) -> Bool {
        let day = local.days - ago
        if day < from ?? day || day > until ?? day || except.contains(day) { return false }
        return only?.contains(day) ?? true
    }
}

extension DayList {
    fileprivate func contains(_ day: Int) -> Bool {
        once.contains { $0.first <= day && day <= $0.last }
            || again.contains { repeated in
                // No rough week has other rules, nor ends or exceptions of them.
                guard case .days(let step) = repeated.rule, day >= repeated.span.first else { return false }
                return (day - repeated.span.first) % step <= repeated.span.last - repeated.span.first
            }
    }
}

extension LocalTime {
    /// The days from 1970-01-01 to its date, counted year by year.
    var days: Int {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let years = (1970..<max(1970, year)).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
        return years + lengths.prefix(month - 1).reduce(0, +) + day - 1
    }
}
