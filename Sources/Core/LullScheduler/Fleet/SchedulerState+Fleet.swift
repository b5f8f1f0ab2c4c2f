import LullModel

/// The fleet: this host sends beats, renews its leases, and gets the news of other hosts.
extension SchedulerState {
    mutating func loadFleet() {
        guard let definition = manifest.fleet else { return leaveFleet() }
        let before = fleet?.definition
        if fleet == nil || before?.database != definition.database || before?.name != definition.name {
            leaveFleet()
            fleet = FleetState(definition, isOfPass: options.isPass && options.launches, at: now.wall)
        }
        fleet?.definition = definition
        let tasks = manifest.tasks.filter(\.fleet.needsLease).map(\.identifier)
        fleet?.tasks = tasks
        if fleet?.isConnected == true { sayHello() }
    }

    mutating func ask(_ call: FleetCall, _ waiting: FleetState.Call) -> UInt64 {
        guard var fleet else { return 0 }
        fleet.lastCall += 1
        fleet.calls[fleet.lastCall] = waiting
        turn.effects.append(.askFleet(fleet.lastCall, call))
        self.fleet = fleet
        return fleet.lastCall
    }

    private mutating func sayHello() {
        guard let fleet, fleet.leavesBy == nil else { return }
        let jobs = fleet.tasks.compactMap { task in
            definition(of: task).flatMap { definition in
                app(definition.app).map {
                    FleetHello.Job(
                        task: task, definitionHash: definition.definitionHash(in: $0),
                        scope: definition.fleet.scope)
                }
            }
        }
        let identity = options.fleet
        let hello = FleetHello(
            host: identity.host, place: identity.place, name: identity.name, home: identity.home,
            boot: options.boot, version: LullVersion.text, manifest: manifest.hash,
            labels: fleet.definition.labels, jobs: jobs)
        _ = ask(.hello(hello), .hello)
    }

    // MARK: Answers and changes of the connection

    mutating func hear(_ event: FleetEvent) {
        guard fleet != nil else { return }
        switch event {
        case .connected:
            fleet?.isConnected = true
            fleet?.isKnown = false
            sayHello()
        case .unreachable(let sentence):
            fleet?.isConnected = false
            fleet?.isKnown = false
            fleet?.beatDue = nil
            lose(sentence)
        case .failed(let number, let sentence):
            guard let call = fleet?.calls.removeValue(forKey: number) else { return }
            failed(call, sentence)
        case .answered(let number, let answer):
            guard let call = fleet?.calls.removeValue(forKey: number) else { return }
            answered(call, answer)
        }
    }

    private mutating func lose(_ sentence: String) {
        let since =
            switch fleet?.reach {
            case .never(let since), .away(let since, _): since
            case .reached, nil: now.wall
            }
        fleet?.reach = .away(since: since, sentence)
        touchShared()
    }

    private mutating func failed(_ call: FleetState.Call, _ sentence: String) {
        switch call {
        case .hello:
            beat(in: FleetTimes.beat)
            lose(sentence)
        // A server that refuses a statement keeps the connection: it is asked again, and not at once.
        case .beat, .finish:
            lose(sentence)
            if fleet?.beatDue == nil { beat(in: FleetTimes.beat) }
        case .claim(let task, _, _, _, _, _):
            // Whether it was granted is not known: the lease would end by itself.
            later(task, .trouble(sentence), FleetTimes.beat)
            touch(task)
        case .giveBack, .leave: break
        }
    }

    private mutating func answered(_ call: FleetState.Call, _ answer: FleetAnswer) {
        switch (call, answer) {
        case (.hello, .hello(let answer)):
            noteClock(answer.now)
            _ = note(answer.drain)
            fleet?.isKnown = true
            fleet?.reach = .reached
            fleet?.offered = []
            fleet?.reported = [:]
            fleet?.untold = []
            beat(in: .zero)
            touchShared()
        case (.beat(let sent, let leases, let offers), .beat(let answer)):
            take(answer, sent: sent, leases, offers)
        case (
            .claim(let task, let request, let sent, let lease, let occurrence, let most), .claim(let answer)
        ):
            take(answer, for: task, request, sent: sent, lasting: lease, occurrence, most: most)
        case (.finish(let lease), .finish(let answer)): settled(lease, answer)
        case (.giveBack, .finish), (.leave, .leave): break
        default: failed(call, "the database answered another question")
        }
    }

    /// Reviews all tasks that need slots.
    mutating func touchShared() {
        for task in fleet?.tasks ?? [] { touch(task) }
    }

    // MARK: Beats

    /// Once in each event: ends runs whose leases can't be trusted any more, and sends the beat that is due.
    mutating func tendFleet() {
        guard fleet != nil else { return }
        endUntrusted()
        if fleet?.wantsRoom.isEmpty == false, hasRoom {
            let waiting = fleet?.wantsRoom.sorted() ?? []
            fleet?.wantsRoom = []
            for task in waiting { touch(task) }
        }
        guard let due = fleet?.beatDue, due <= now.monotonic, fleet?.isConnected == true,
            fleet?.leavesBy == nil
        else { return }
        if fleet?.isKnown == true { beat() } else { sayHello() }
        fleet?.beatDue = nil
    }

    mutating func beat(in span: Duration) {
        let due = now.monotonic + span
        fleet?.beatDue = due
    }

    private mutating func beat() {
        guard var fleet else { return }
        let held = fleet.held.values.filter { !$0.isLost }.sorted { $0.lease.number < $1.lease.number }
        var beat = FleetBeat(
            host: options.fleet.host, leases: held.map(\.renewal), lease: FleetTimes.lease.milliseconds,
            since: fleet.cursor, clock: now.wall.milliseconds)
        beat.offers = offers(fleet)
        for task in fleet.tasks {
            if let definition = definition(of: task), let score = score(of: definition) {
                beat.scores[task.text] = score
            }
        }
        beat.reports = reports(&fleet)
        self.fleet = fleet
        _ = ask(.beat(beat), .beat(sent: now.boot, held.map(\.lease), beat.offers.map(\.slot)))
    }

    private mutating func take(
        _ answer: FleetBeat.Answer, sent: Duration, _ leases: [SlotLease], _ offers: [SlotName]
    ) {
        noteClock(answer.now)
        guard answer.known else {
            fleet?.isKnown = false
            return sayHello()
        }
        fleet?.untold = []
        let wasAway = fleet?.reach != .reached
        fleet?.reach = .reached
        let isDrainNews = note(answer.drain)
        fleet?.hosts = max(1, answer.hosts)
        let best: [TaskIdentifier: Double] = answer.best.reduce(into: [:]) { best, entry in
            if let task = TaskIdentifier(entry.key) { best[task] = entry.value }
        }
        fleet?.best = best
        fleet?.cursor = answer.cursor
        let held = Set(answer.held)
        for lease in leases {
            if held.contains(lease) {
                let before = fleet?.held[lease]?.renewed ?? sent
                fleet?.held[lease]?.renewed = max(before, sent)
            } else {
                lose(lease)
            }
        }
        let old = now.wall - .days(2)
        var offered: Set<SlotName> = self.fleet?.offered.filter { $0.nominal > old } ?? []
        offered.formUnion(offers)
        fleet?.offered = offered
        for slotStatus in answer.news { heard(slotStatus) }
        if wasAway || isDrainNews { touchShared() }
        let beats = (fleet?.beats ?? 0) + 1
        let share = self.fleet?.share("\(beats)", of: options.fleet) ?? 0
        fleet?.beats = beats
        beat(in: FleetTimes.beat * (0.8 + 0.4 * share))
    }

    /// The slots to come that this host offers now. Hosts take turns, so that some host offers each slot in good time.
    private func offers(_ fleet: FleetState) -> [FleetBeat.Offer] {
        var offers: [FleetBeat.Offer] = []
        if Mutation.offersNothing.isOn { return [] }
        for task in fleet.tasks {
            guard let definition = definition(of: task), definition.fleet.scope == .anyHost,
                definition.enabled, let table = timetable(of: definition), let app = app(definition.app)
            else { continue }
            // Seldom is there anything to offer, and the hash costs more than all else of a beat.
            lazy var definitionHash = definition.definitionHash(in: app)
            var next =
                ledger.tasks[task]?.pending?.occurrence?.time ?? table.next(after: now.wall - table.shift)
            while let time = next, table.due(time) - now.wall < FleetTimes.horizon,
                offers.count < FleetTimes.mostOffers
            {
                next = table.next(after: time)
                let slot = SlotName(task, at: time)
                guard !fleet.offered.contains(slot) else { continue }
                let share =
                    fleet.hosts == 1 ? 1 : fleet.share("\(task) \(time.milliseconds)", of: options.fleet)
                guard table.due(time) - now.wall < FleetTimes.horizon * share + .minutes(2) else { continue }
                offers.append(
                    .init(slot: slot, definitionHash: definitionHash, tolerance: tolerance(of: definition)))
            }
        }
        return offers
    }

    /// How long a slot may be claimed, in milliseconds: a little longer than the task may be late, which its own gate
    /// decides.
    func tolerance(of task: TaskDefinition) -> Int64? {
        task.missed == .skip ? (task.tolerance + task.spread + .seconds(10)).milliseconds : nil
    }

    /// The reports on tasks whose closed gates have changed here. The database keeps earlier reports.
    private func reports(_ fleet: inout FleetState) -> [FleetBeat.Report] {
        var reports: [FleetBeat.Report] = []
        for task in fleet.tasks {
            let closed = gateInput(for: task).evaluate().verdicts.filter { !$0.isOpen }
            let names = closed.map(\.gate.rawValue)
            let known = fleet.reported[task]
            guard known?.gates != names || known?.until.map({ $0 < now.wall }) == true else { continue }
            // If one of them does not open by time alone, the end is not known.
            let times = closed.compactMap(\.until)
            let end = times.count < closed.count ? nil : times.max() ?? now.wall
            // A task that may run now may stay so, and its report has no end.
            fleet.reported[task] = (names, closed.isEmpty ? nil : end)
            let until = end.map { max(0, ($0 - now.wall).milliseconds) }
            reports.append(
                .init(
                    task: task, gates: names,
                    reason: closed.first.map { gateInput(for: task).told($0).reason },
                    half: until, most: until))
        }
        return reports
    }

    // MARK: Scores

    /// How good this host's moment is, 0...1; nil: the task has no preference.
    func score(of task: TaskDefinition) -> Double? {
        guard let preference = task.fleet.prefer else { return nil }
        let conditions = sensing.conditions
        let score: Double =
            switch preference {
            case .idlest: conditions?.quietness ?? 0.5
            case .cheapest: conditions?.cheapness ?? 0.5
            case .freshest:
                ledger.apps[task.app]?.forecast.hazards(
                    from: now.wall, steps: 1 + Int(task.fresh.inSeconds) / 900, zone: now.zones.host)?
                    .probability(within: task.fresh) ?? 0
            }
        return (score.clamped(to: 0...1) * 100).rounded() / 100
    }
}

extension Conditions {
    /// 1: there is no load, and nobody is present.
    fileprivate var quietness: Double {
        let isActive = presence.value == .active
        return (isActive ? 0.5 : 1) / (1 + max(0, load))
    }

    /// 1: neither power nor network costs anything.
    fileprivate var cheapness: Double {
        let power = externalPower.value == false ? 0.5 * (battery.value ?? 0.5) : 1
        let network =
            switch self.network.value {
            case .unmetered?: 1.0
            case .metered?: 0.3
            case Conditions.Network.none?: 0.0
            case nil: 0.5
            }
        return (power + network) / 2
    }
}
