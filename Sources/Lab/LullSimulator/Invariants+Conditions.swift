import LullModel

/// Judges conditions and budget a second time.
extension Invariants {
    mutating func checkConditions(_ subject: Subject, _ frame: Frame) {
        let (requires, name, known) = (subject.requires, subject.name, frame.conditions)
        if requires.externalPower, known.externalPower.value != true {
            fault("\(name) is launched on battery")
        }
        if let network = requires.network {
            switch known.network.value {
            case nil, Conditions.Network.none?: fault("\(name) is launched without network")
            case .metered?: if network == .unmetered { fault("\(name) is launched on a metered network") }
            case .unmetered?: break
            }
        }
        if let share = requires.batteryAbove, !known.hasNoBattery,
            known.battery.value.map({ $0 <= share }) ?? true
        {
            fault("\(name) is launched on too little charge")
        }
        if let limit = requires.loadBelow, known.load >= limit { fault("\(name) is launched under load") }
        if let bytes = requires.diskFree, known.diskFree < bytes {
            fault("\(name) is launched on a full disk")
        }
        if let limit = subject.app.limits.disk, let use = frame.folders[subject.launch.app], use.bytes > limit
        {
            fault("\(name) is launched while its app keeps more than it may")
        }
        let isQuiet = isQuiet(known, at: frame.now.wall)
        if requires.idle == true, !isQuiet { fault("\(name) is launched while the host is in use") }
        checkMoment(subject, isQuiet, frame)
    }

    private func isQuiet(_ known: Conditions, at now: WallTime) -> Bool {
        switch known.presence {
        case .known(.active): false
        case .known(.idle(let since)): now - since >= .minutes(5)
        case .unknown: known.load < 0.7 && (known.cpuPressure ?? 0) < 0.25
        }
    }

    /// Processing waits for a quiet host, but not for ever; only the forecast can judge the moment of a refresh.
    private mutating func checkMoment(_ subject: Subject, _ isQuiet: Bool, _ frame: Frame) {
        guard subject.launch.kind == .processing, subject.requires.idle == nil, !isQuiet,
            let request = subject.request, request.origin != .operator, request.triggerEvent == nil,
            !times.isExact(request, of: subject.task),
            let since = waited[request.id]
        else { return }
        if frame.now.wall - since < subject.task.starvationBound {
            fault(
                "\(subject.name) is launched while the host is in use, after \((frame.now.wall - since).milliseconds) ms"
            )
        }
    }

    /// The least gap between two refresh launches of an app, and the budget of a day.
    mutating func checkSpending(_ subject: Subject, _ frame: Frame) {
        // A launch by an operator does not count.
        guard subject.launch.kind == .refresh, running[subject.launch.run]?.isExtra != true else { return }
        let (task, time) = (subject.task, frame.clock.trueTime)
        if times.isExact(subject.request, of: task) {
            refreshes[subject.launch.app] = time
            return
        }
        if let last = refreshes[subject.launch.app], time - last < task.minGap {
            fault("\(subject.name) is launched \((time - last).milliseconds) ms after a refresh of its app")
        }
        refreshes[subject.launch.app] = time
        if task.freshShare != nil { return }
        // The count goes by quarter-hours, so that a day may be short of one.
        spent.removeAll { time - $0 >= .hours(24) - .minutes(15) }
        spent.append(time)
        let refreshBudget = frame.manifest.tasks.reduce(0) {
            $0 + ($1.kind == .refresh && $1.at == nil ? $1.budget : 0)
        }
        // Where no refresh task fills the refresh budget, a processing task that is asked for as a refresh brings its own.
        let budget = max(refreshBudget, task.budget)
        // On average the refresh budget is spent; on no day more than twice of it.
        if Double(spent.count) > max(1, (budget * 2).rounded(.up)) {
            fault("\(spent.count) refresh launches in a day, of \(budget)")
        }
    }
}
