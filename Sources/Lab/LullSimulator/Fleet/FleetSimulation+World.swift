import LullModel
import LullScheduler

/// What happens to the machines, the network and the database.
extension FleetSimulation {
    mutating func start(_ index: Int) {
        guard !nodes[index].isUp else {
            // A service manager starts it again once it is gone.
            if nodes[index].isEnding { add(.start(index), in: .seconds(1)) }
            return
        }
        var options = SchedulerOptions()
        options.host = nodes[index].name
        options.boot = "boot"
        nodes[index].generation += 1
        options.fleet = nodes[index].identity
        nodes[index].state = SchedulerState(ledger: nodes[index].state.ledger, options: options)
        nodes[index].isUp = true
        nodes[index].isConnected = false
        nodes[index].calls = []
        nodes[index].runs = [:]
        nodes[index].workers = []
        nodes[index].awakeSince = time
        say { me in "\(me.nodes[index].name) starts as \(me.nodes[index].identity.host)" }
        handle(.conditionsChanged(nodes[index].conditions), index)
        load(index)
        add(.connect(index, generation: nodes[index].generation), in: draw(10...500))
    }

    private mutating func load(_ index: Int) {
        let manifest = world.manifests[nodes[index].manifest]
        handle(.manifestLoaded(manifest, stamps: [FleetWorld.app: "\(nodes[index].manifest)"]), index)
    }

    mutating func stop(_ index: Int) {
        guard nodes[index].isUp else { return }
        nodes[index].isUp = false
        nodes[index].isEnding = false
        nodes[index].generation += 1
        nodes[index].runs = [:]
        nodes[index].calls = []
        nodes[index].postponed = []
        nodes[index].wakes += 1
        say { me in "\(me.nodes[index].name) is gone" }
    }

    mutating func happen(_ stimulus: FleetWorld.Stimulus) {
        say { _ in "! \(stimulus)" }
        switch stimulus {
        case .crash(let index, let down):
            guard nodes[index].isUp else { return }
            if nodes[index].isAsleep { return }
            stop(index)
            add(.start(index), in: down)
        case .restart(let index, let down):
            guard nodes[index].isUp, !nodes[index].isAsleep else { return }
            nodes[index].isEnding = true
            handle(.shutdown, index)
            // A host that is not gone by then is killed.
            add(.world(.crash(index, down: .seconds(1))), in: .seconds(40))
            add(.start(index), in: down)
        case .sleep(let index, let length):
            guard !nodes[index].isAsleep else { return }
            nodes[index].isAsleep = true
            nodes[index].slept -= time
            add(.wakeUp(index), in: length)
        case .clock(let index, let ahead):
            nodes[index].offset = ahead
            watch.clockChanged(index, time)
            if nodes[index].isUp, !nodes[index].isAsleep { handle(.wake, index) }
        case .cut(let index, let length):
            nodes[index].isCut = true
            disconnect(index, "the network is gone")
            add(.reconnected(index, false), in: length)
        case .conditions(let index, let conditions):
            nodes[index].conditions = conditions
            if nodes[index].isUp, !nodes[index].isAsleep { handle(.conditionsChanged(conditions), index) }
        case .manifest(let index):
            nodes[index].manifest = 1 - nodes[index].manifest
            if nodes[index].isUp, !nodes[index].isAsleep { load(index) }
        case .drain(let index, let length):
            // Half of the drains end by the database's clock, the others when an operator resumes the host.
            let isTimed = index.isMultiple(of: 2)
            database.drain(nodes[index].name, for: isTimed ? length : nil, at: world.start + time)
            if !isTimed { add(.undrain(index), in: length) }
        case .databaseAway(let length):
            isDatabaseUp = false
            for index in nodes.indices { disconnect(index, "the server is gone") }
            add(.databaseBack, in: length)
        case .failover(let lost, let away):
            guard let earlier = snapshots.last(where: { $0.time <= time - lost }) else { return }
            database = earlier.database
            watch.failedOver(to: earlier.time, at: time)
            isDatabaseUp = false
            for index in nodes.indices { disconnect(index, "the server is gone") }
            add(.databaseBack, in: away)
        case .reset: for index in nodes.indices { disconnect(index, "the connection was reset") }
        case .submit(let index):
            guard nodes[index].isUp, !nodes[index].isAsleep,
                let task = world.manifests[0].tasks.randomElement(using: &random)?.identifier
            else { return }
            let submission = Submission(app: nil, task: task)
            handle(.submitted(submission, reply: Token(UInt64(time.milliseconds))), index)
        }
    }

    mutating func wakeUp(_ index: Int) {
        nodes[index].isAsleep = false
        nodes[index].slept += time
        nodes[index].awakeSince = time
        say { me in "\(me.nodes[index].name) wakes up" }
        let postponed = nodes[index].postponed
        nodes[index].postponed = []
        // The loop notices the clock first.
        if nodes[index].isUp { handle(.wake, index) }
        for act in postponed { add(act, in: .milliseconds(1)) }
    }

    // MARK: The connection

    mutating func connect(_ index: Int) {
        guard isDatabaseUp, !nodes[index].isCut else {
            handle(.fleet(.unreachable("it does not answer")), index)
            add(.connect(index, generation: nodes[index].generation), in: draw(1_000...30_000))
            return
        }
        nodes[index].isConnected = true
        handle(.fleet(.connected), index)
    }

    /// Cuts the connection. The host notices after a while, because a connection may hang.
    private mutating func disconnect(_ index: Int, _ sentence: String) {
        guard nodes[index].isUp, nodes[index].isConnected else { return }
        nodes[index].isConnected = false
        let generation = nodes[index].generation
        let wait = random.chance(0.5) ? draw(1...50) : draw(1_000...10_000)
        for number in nodes[index].calls.sorted() {
            add(.tell(index, generation: generation, .fleet(.failed(number, sentence))), in: wait)
        }
        add(.tell(index, generation: generation, .fleet(.unreachable(sentence))), in: wait)
        add(.connect(index, generation: generation), in: wait + draw(500...20_000))
    }

    mutating func send(_ call: FleetCall, _ number: UInt64, _ index: Int) {
        let generation = nodes[index].generation
        nodes[index].calls.insert(number)
        guard nodes[index].isConnected else {
            let event = Event.fleet(.failed(number, "it is not connected"))
            return add(.tell(index, generation: generation, event), in: .milliseconds(1))
        }
        // One connection keeps the order.
        nodes[index].sent = max(nodes[index].sent, time + draw(1...40))
        add(.arrive(index, generation: generation, number, call), at: nodes[index].sent)
    }

    private mutating func fail(_ number: UInt64, _ index: Int, _ generation: Int) {
        guard nodes[index].generation == generation, nodes[index].isConnected else { return }
        nodes[index].heard = max(nodes[index].heard, time + .milliseconds(5))
        let event = Event.fleet(.failed(number, "the disk is full"))
        add(.tell(index, generation: generation, event), at: nodes[index].heard)
    }

    mutating func arrive(_ index: Int, _ generation: Int, _ number: UInt64, _ call: FleetCall) {
        // A call that was on its way when the connection broke may still arrive.
        guard isDatabaseUp, !nodes[index].isCut || random.chance(0.2) else { return }
        // A server may refuse a statement, or lose it with its session, and keep the connection.
        let isRefused = troubles.chance(0.004)
        if isRefused, troubles.chance(0.5) { return fail(number, index, generation) }
        // Only this slot is kept: after a copy of the database the first change would copy all of it.
        let before = call.finished.flatMap { database.slotStatus(of: $0, at: world.start + time)?.state }
        let answer = database.answer(call, at: world.start + time)
        watch.answered(call, answer, before, database, nodes[index], time)
        say { me in "\(me.nodes[index].name) asks \(call.line) → \(answer.line)" }
        if isRefused { return fail(number, index, generation) }
        guard nodes[index].generation == generation, nodes[index].isConnected else { return }
        nodes[index].heard = max(nodes[index].heard, time + draw(1...40))
        add(.tell(index, generation: generation, .fleet(.answered(number, answer))), at: nodes[index].heard)
    }
}

extension FleetCall {
    fileprivate var finished: SlotName? {
        if case .finish(let finish) = self { finish.lease.slot } else { nil }
    }

    fileprivate var line: String {
        switch self {
        case .hello(let hello): "hello \(hello.manifest)"
        case .beat(let beat): "beat \(beat.leases.map(\.number)) offers \(beat.offers.count)"
        case .claim(let claim): "claim \(claim.slot.task) \(claim.slot.nominal.milliseconds)"
        case .finish(let finish): "finish #\(finish.lease.number) \(finish.state.rawValue)"
        case .leave: "leave"
        }
    }
}

extension FleetAnswer {
    fileprivate var line: String {
        switch self {
        case .hello, .leave: "ok"
        case .beat(let beat): "held \(beat.held.map(\.number)) news \(beat.news.count) known \(beat.known)"
        case .claim(let claim):
            "\(claim.verdict.rawValue) #\(claim.lease?.number ?? 0) \(claim.slotStatus.map { "\($0.state.rawValue) \($0.host ?? "") next \($0.next ?? -1)" } ?? "") wait \(claim.wait ?? 0)"
        case .finish(let finish): finish.accepted ? "accepted" : "refused"
        }
    }
}
