import LullModel
import LullScheduler

/// Checks that no gate is skipped: each launch is judged again, from what was known when it was decided.
extension Invariants {
    /// After the records of a frame.
    mutating func check(_ frame: Frame) {
        for (run, outcome, next) in unfinished { checkAgain(run, outcome, next, frame) }
        checkTelling(frame)
        checkRhythm(frame)
        for sentence in times.check(heads) { fault(sentence) }
        events.check(frame)
        for sentence in events.takeFaults() { fault(sentence) }
        guard !fresh.isEmpty else { return }
        let forced = frame.forced
        for case .launch(let launch) in frame.effects {
            guard let run = running[launch.run] else {
                if !over.contains(launch.run) { fault("run \(launch.run) is launched and not recorded") }
                continue
            }
            guard let app = frame.manifest.apps.first(where: { $0.identifier == launch.app }),
                let task = definition(of: launch.task, in: app)
            else {
                fault("\(launch.task) is launched, and the manifest does not permit it")
                continue
            }
            let isForced = forced[launch.run] != nil
            let subject = Subject(
                app: app, task: task, launch: launch, request: run.request, isForced: isForced)
            checkPolicy(subject, frame)
            checkRoom(subject, frame)
            if isForced { continue }
            checkPush(subject, frame)
            if subject.isUrgent { continue }
            checkTime(subject, frame)
            checkDay(subject, frame)
            checkConditions(subject, frame)
            checkSpending(subject, frame)
        }
    }

    /// A launch with all that it is judged by.
    struct Subject {
        var app: App
        var task: TaskDefinition
        var launch: Launch
        var request: TaskRequest?
        var isForced: Bool
        /// For an urgent push, which policy does not hold back.
        var isUrgent: Bool { launch.push?.isUrgent == true }
        var requires: Requirements { task.requires.adding(request?.requires ?? .none) }
        var name: TaskIdentifier { launch.task }
    }

    private func definition(of task: TaskIdentifier, in app: App) -> TaskDefinition? {
        for name in [task] + task.wildcards {
            if let found = app.tasks.first(where: { $0.identifier == name }) { return found }
        }
        return nil
    }

    private mutating func checkPolicy(_ subject: Subject, _ frame: Frame) {
        let (app, task, name) = (subject.app, subject.task, subject.name)
        if !subject.launch.kind.isPermitted(under: task.kind) {
            fault("\(name) is launched as \(subject.launch.kind)")
        }
        if !app.enabled || !task.enabled || disabled.contains(app.identifier) || disabledTasks.contains(name)
        {
            fault("\(name) is launched while it is disabled")
        }
        if frame.about.isShuttingDown { fault("\(name) is launched while the host is shutting down") }
        if subject.isForced { return }
        if isPaused(name, of: app.identifier, at: frame.now.wall) {
            fault("\(name) is launched while it is paused")
        }
        if registered[app.identifier]?.contains(task.identifier) != true, subject.launch.kind != .continued {
            fault("\(name) is launched, and its plugin registered no handler for it")
        }
        if subject.request == nil { fault("\(name) is launched, and nobody has asked for it") }
        if subject.launch.kind != .continued, subject.launch.kind != .transfers, !subject.isUrgent,
            let spent = idleness.excess(of: app, at: frame.now.wall, by: frame.clock)
        {
            fault("\(name) is launched \(spent.milliseconds) ms after its app became idle")
        }
    }

    private mutating func checkRoom(_ subject: Subject, _ frame: Frame) {
        let ofTask = running.values.count { $0.task == subject.name }
        if ofTask > max(1, subject.task.concurrency) { fault("\(ofTask) runs of \(subject.name) at once") }
        if let group = subject.task.group {
            let members = Set(frame.manifest.tasks.filter { $0.group == group }.map(\.identifier))
            let runs = running.values.count { members.contains($0.task) }
            if runs > frame.manifest.groups[group] ?? 1 {
                fault("\(runs) runs of the group \(group) at once")
            }
        }
        if subject.isForced || subject.isUrgent { return }
        let host = max(1, frame.manifest.hostConcurrency)
        let urgent = running.values.filter(\.isUrgent)
        if running.count - urgent.count > host { fault("\(running.count) runs at once on the host") }
        let ofApp = running.values.count { $0.app == subject.launch.app && !$0.isUrgent }
        if ofApp > max(1, subject.app.concurrency) { fault("\(ofApp) runs of \(subject.launch.app) at once") }
    }

    private mutating func checkTime(_ subject: Subject, _ frame: Frame) {
        let (task, name, now) = (subject.task, subject.name, frame.now.wall)
        // A launch by the clock is held back by neither a failure nor a later request.
        let isExact = times.isExact(subject.request, of: task)
        let beside = subject.request?.occurrence?.repeat
        if let begin = subject.request?.earliestBegin, begin > now,
            subject.request?.origin == .at || !isExact,
            subject.request?.triggerEvent == nil || subject.request?.origin == .event,
            beside.map({ $0 > now }) ?? true
        {
            fault("\(name) is launched \((begin - now).milliseconds) ms before its begin date")
        }
        // The windows of a `transfers` task apply to the transfers themselves.
        if subject.launch.kind != .transfers, !task.windows.isEmpty,
            !task.windows.contains(where: { isOpen($0, zones[task.timezone].local(now)) })
        {
            fault("\(name) is launched outside its windows")
        }
        if task.quiet.contains(where: { isOpen($0, zones[task.timezone].local(now)) }) {
            fault("\(name) is launched in its quiet time")
        }
        let story = stories[name] ?? Story()
        // Attempts are counted anew for each turn of `repeat`.
        let isTurn = task.retry.attempts != nil && subject.request?.origin == .repeat
        let failures = isTurn ? story.tried : story.failures
        // Somebody waits for a continued task: it is not held back.
        if subject.launch.kind != .continued, subject.launch.kind != .transfers, !isExact, failures > 0,
            let failed = story.failed,
            failed <= now
        {
            let wait = doubled(task.retry.first, failures, atMost: task.retry.max)
            if now - failed < wait {
                fault(
                    "\(name) is launched \((now - failed).milliseconds) ms after its failure \(failures)"
                )
            }
        }
        if subject.launch.kind != .continued, let startFailure = startFailures[subject.launch.app],
            let at = startFailure.at,
            at <= now,
            now - at < doubled(.seconds(30), startFailure.count, atMost: .hours(5))
        {
            fault("\(name) is launched \((now - at).milliseconds) ms after its app's start failed")
        }
        checkPause(subject, story, frame)
    }

    /// A plugin that submits again and again does not run all the time.
    private mutating func checkPause(_ subject: Subject, _ story: Story, _ frame: Frame) {
        guard let request = subject.request, request.origin == .plugin else { return }
        if subject.launch.kind == .continued { return checkPace(subject, frame) }
        guard subject.launch.kind == .processing,
            !times.isExact(request, of: subject.task),
            let ended = story.ended
        else { return }
        let pause = max(Duration.minutes(1), .milliseconds(story.pause))
        let passed = frame.clock.trueTime - ended
        if passed < pause {
            fault(
                "\(subject.name) is launched \(passed.milliseconds) ms after its last run, at its plugin's wish"
            )
        }
    }

    /// Ten at once, then one each 10 s.
    private mutating func checkPace(_ subject: Subject, _ frame: Frame) {
        let launches = (paces[subject.app.identifier] ?? []) + [frame.clock.trueTime]
        paces[subject.app.identifier] = launches.suffix(10)
        guard launches.count > 10 else { return }
        let passed = launches[10] - launches[0]
        if passed < .seconds(10) {
            fault("\(subject.name) is the 11th continued task of its app in \(passed.milliseconds) ms")
        }
    }

    private func doubled(_ first: Duration, _ times: Int, atMost most: Duration) -> Duration {
        var wait = first
        for _ in 1..<max(2, min(times, 40)) where times > 1 && wait < most { wait = wait * 2 }
        return min(wait, most)
    }

    private func isOpen(_ window: Window, _ local: LocalTime) -> Bool { age(of: window, local) != nil }

    /// How many days ago the window opened that is open; nil: it is closed.
    func age(of window: Window, _ local: LocalTime) -> Int? {
        let minute = local.secondOfDay / 60
        func isDay(_ day: Int) -> Bool { window.days.isEmpty || window.days.contains(day) }
        let isOvernight = window.closes <= window.opens
        if isDay(local.weekday), minute >= window.opens, isOvernight || minute < window.closes { return 0 }
        return isOvernight && isDay((local.weekday + 6) % 7) && minute < window.closes ? 1 : nil
    }
}
