import LullModel

/// Random calls of several hosts: sensible for the most part, and now and then late, doubled or wrong.
struct RandomCalls {
    enum Act {
        case call(FleetCall)
        case drain(String, by: String?, reason: String?, span: Duration?)
        case resume(String)
        case forget(String)
    }

    private var random: SeededGenerator
    private(set) var now = WallTime(seconds: 1_772_409_600)
    private let start = WallTime(seconds: 1_772_409_600)
    private let hosts = ["a1", "a2", "b1", "c1", "d1", "e1"]
    private let tasks: [TaskIdentifier]
    private var leases: [(host: String, lease: SlotLease)] = []
    private var cursors: [String: Int64] = [:]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        tasks = ["x.clock", "x.repeat", "x.few", "x.spread"].compactMap(TaskIdentifier.init)
    }

    private mutating func pick<T>(_ list: [T]) -> T { list[Int.random(in: 0..<list.count, using: &random)] }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func pass() {
        switch number(0...99) {
        case 0..<50: now = now + .milliseconds(number(0...3_000))
        case 50..<80: now = now + .seconds(number(1...15))
        case 80..<95: now = now + .seconds(number(20...100))
        case 95..<98: now = now + .minutes(number(5...200))
        case 98: now = now + .days(number(1...8))
        default: if random.chance(0.2) { now = now + .days(number(30...95)) }
        }
    }

    mutating func next() -> Act {
        pass()
        switch number(0...99) {
        case 0..<8: return .call(.hello(hello(pick(hosts))))
        case 8..<34: return .call(.beat(beat(pick(hosts))))
        case 34..<74: return .call(.claim(claim(pick(hosts))))
        case 74..<93: return .call(finish().map(FleetCall.finish) ?? .beat(beat(pick(hosts))))
        case 93: return .call(.leave(FleetLeave(host: pick(hosts))))
        case 94, 95:
            return .drain(
                pick(["a", "name-b", "place-c", "nobody"]), by: random.chance(0.8) ? "ops" : nil,
                reason: random.chance(0.5) ? "a \"disk\"" : nil,
                span: random.chance(0.5) ? .seconds(number(1...600)) : nil)
        case 96, 97, 98: return .resume(pick(["a", "name-b", "place-c", "nobody", "name-a"]))
        default: return .forget(pick(hosts + ["name-a", "place-d"]))
        }
    }

    /// Hosts a1 and a2 are two processes with one place and name; now and then a host has drawn another place.
    private mutating func hello(_ host: String) -> FleetHello {
        let name = String(host.prefix(1))
        let jobs = tasks.compactMap { task -> FleetHello.Job? in
            random.chance(0.9) ? .init(task: task, definitionHash: definitionHash(), scope: .anyHost) : nil
        }
        return FleetHello(
            host: host, place: (random.chance(0.9) ? "place-" : "place-2-") + name, name: "name-" + name,
            home: pick(["", "home", "home-2"]), boot: "b", version: "1", manifest: "m",
            labels: random.chance(0.9) ? ["zone": pick(["north", "south"])] : [:], jobs: jobs)
    }
    private mutating func definitionHash() -> String { random.chance(0.85) ? "m" : "n" }

    /// A recent quarter of an hour; now and then a time that is none.
    private mutating func slot(_ task: TaskIdentifier, _ host: String) -> SlotName {
        let step = 900_000
        let quarter = now.milliseconds / Int64(step) * Int64(step) + Int64(step * number(-3...1))
        let isTargeted = task.text == "x.few" || (task.text == "x.repeat" && random.chance(0.3))
        return SlotName(
            task, at: WallTime(milliseconds: quarter + Int64(random.chance(0.1) ? number(0...2_000) : 0)),
            target: isTargeted ? "place-" + host.prefix(1) : "")
    }
    private mutating func tolerance() -> Int64? {
        random.chance(0.5) ? nil : Int64(number(1...7_200)) * 1_000
    }

    /// The length of a lease.
    private mutating func length() -> Int64 { random.chance(0.5) ? 60_000 : Int64(number(60...900)) * 1_000 }

    private mutating func beat(_ host: String) -> FleetBeat {
        var beat = FleetBeat(host: host, lease: 60_000)
        for held in leases.suffix(12) where held.host == host && random.chance(0.8) {
            if !beat.leases.contains(where: { $0.lease == held.lease }) {
                beat.leases.append(.init(held.lease, length: random.chance(0.5) ? length() : nil))
            }
        }
        if random.chance(0.1), let other = leases.last { beat.leases = [.init(other.lease)] }
        var offered: Set<SlotName> = []
        for _ in 0..<number(0...3) {
            let slot = slot(pick(tasks), host)
            guard offered.insert(slot).inserted, slot.task.text != "x.repeat" || random.chance(0.2) else {
                continue
            }
            beat.offers.append(.init(slot: slot, definitionHash: definitionHash(), tolerance: tolerance()))
        }
        for task in tasks where random.chance(0.5) {
            beat.scores[task.text] = Double(number(0...100)) / 100
            beat.reports.append(
                .init(
                    task: task, gates: ["power"], reason: random.chance(0.5) ? "on battery — 40 %" : nil,
                    half: 1_000, most: nil))
        }
        beat.since = random.chance(0.8) ? cursors[host] ?? now.milliseconds - 20_000 : nil
        return beat
    }

    private mutating func claim(_ host: String) -> FleetClaim {
        let task = pick(tasks)
        let slot = slot(task, host)
        let ahead = random.chance(0.2) ? Duration.minutes(number(1...60)) : .zero
        return FleetClaim(
            host: host, slot: slot, definitionHash: definitionHash(), through: slot.nominal + ahead,
            tolerance: tolerance(),
            every: task.text == "x.repeat" && random.chance(0.95) ? Int64(number(1...1_800)) * 1_000 : nil,
            limit: task.text == "x.few" ? 2 : task.text == "x.spread" ? 3 : 1,
            spread: task.text == "x.spread" ? "zone" : nil, lease: length())
    }

    private mutating func finish() -> FleetFinish? {
        guard !leases.isEmpty else { return nil }
        // Most are recent, some come twice, some have an old number.
        let place = random.chance(0.8) ? max(0, leases.count - number(1...6)) : number(0...leases.count - 1)
        var lease = leases[place].lease
        if random.chance(0.05) { lease.number += 1 }
        let state = pick([SlotState.done, .done, .failed, .open, .open, .skipped])
        return FleetFinish(
            host: random.chance(0.8) ? leases[place].host : pick(hosts), lease, state,
            reason: state == .done || random.chance(0.2) ? nil : "it said \"no\"")
    }

    mutating func heard(_ answer: FleetAnswer, to call: FleetCall) {
        switch (call, answer) {
        case (.claim(let claim), .claim(let answer)):
            if let lease = answer.lease { leases.append((claim.host, lease)) }
        case (.beat(let beat), .beat(let answer)): if answer.known { cursors[beat.host] = answer.cursor }
        default: break
        }
    }
}
