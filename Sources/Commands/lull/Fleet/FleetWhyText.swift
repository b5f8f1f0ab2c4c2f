import LullAnswers
import LullCommands
import LullHistory
import LullModel

/// Why a task of the fleet does not run, in words. It names the host that has the task, the time at which some host will
/// likely run it, and what holds each host back.
struct FleetWhyText {
    let why: FleetWhy
    let phrases: Phrases

    func rendered(for terminal: Terminal) -> String {
        var out = ""
        // The first sentence stands alone; the others are one paragraph.
        let sentences = self.sentences
        for line in wrapped(sentences.first ?? "", to: terminal.columns) {
            out += terminal.styled(line, .bold) + "\n"
        }
        if sentences.count > 1 {
            let rest = sentences.dropFirst().joined(separator: " ")
            for line in wrapped(rest, to: terminal.columns) { out += line + "\n" }
        }
        if !why.hosts.isEmpty {
            var table = Table(header: ["HOST", "LIKELY BY", "CLOSED GATES", "WHY"])
            for host in why.hosts {
                table.rows.append([
                    .init(host.name), .init(likely(host)),
                    host.gates.isEmpty
                        ? .init("none", .green)
                        : .init(host.gates.joined(separator: ", ")),
                    .init(host.reason ?? ""),
                ])
            }
            out += "\n" + table.rendered(for: terminal)
            let rest = why.reporting - why.hosts.count
            if rest > 0 {
                out +=
                    terminal.styled("\(Phrase.count(rest, "host")) more, further from running it.", .dim)
                    + "\n"
            }
        }
        if !why.ended.isEmpty {
            var table = Table(header: ["RUN FOR", "BECAME", "ON", "ENDED", "WHY"])
            for slot in why.ended {
                table.rows.append([
                    .init(phrases.time(slot.slot.nominal)), Self.cell(slot.state), .init(slot.host ?? "–"),
                    .init(phrases.relative(phrases.now - .milliseconds(slot.ago))),
                    .init(slot.reason.map { PrintedLast($0).inOneLine } ?? ""),
                ])
            }
            out += "\n" + table.rendered(for: terminal)
        }
        while out.hasSuffix("\n") { out.removeLast() }
        return out
    }

    static func cell(_ state: SlotState) -> Table.Cell {
        switch state {
        case .done: .init("done", .green)
        case .failed: .init("failed", .red)
        case .expired: .init("expired", .yellow)
        case .skipped, .open, .leased: .init(state.rawValue)
        }
    }

    private func likely(_ host: FleetWhy.Host) -> String {
        host.most.map { phrases.time(phrases.now + .milliseconds(max(0, $0 - host.ago))) }
            ?? host.half.map {
                "half likely " + phrases.time(phrases.now + .milliseconds(max(0, $0 - host.ago)))
            }
            ?? "not known"
    }

    private var sentences: [String] {
        let leased = why.slots.filter { $0.state == .leased }
        let open = why.slots.filter { $0.state == .open }
        var sentences = leased.prefix(5).map { Self.held($0, phrases) }
        if leased.count > 5 { sentences.append("\(leased.count - 5) more of its runs are under way.") }
        if let first = open.first {
            let others = open.count > 1 ? ", and \(open.count - 1) more wait," : ""
            sentences.append(
                "No host has taken its run for \(phrases.time(first.slot.nominal)) yet\(others)"
                    + (first.reason.map { ": \($0.withoutFullStop)." } ?? "."))
        }
        if why.slots.isEmpty { sentences.append("No run of \(why.task) is due in the fleet.") }
        // A run that is under way needs no outlook.
        if leased.isEmpty || why.reporting > 0 { sentences.append(outlook) }
        return sentences
    }

    /// The host that has a run, since when, and when its lease ends unless it renews it.
    static func held(_ slot: SlotStatus, _ phrases: Phrases) -> String {
        let since = phrases.exact(phrases.now - .milliseconds(slot.ago))
        let end = slot.left.map { left in
            left > 0
                ? " Its lease ends \(phrases.exactly(phrases.now + .milliseconds(left))) unless it is renewed."
                : " Its lease has ended, and another host will take the run over."
        }
        let attempt = slot.attempt > 1 ? ", the \(slot.attempt == 2 ? "second" : "third") try" : ""
        let nominal = phrases.time(slot.slot.nominal)
        return "\(slot.host ?? "A host") has had the run for \(nominal) since \(since)\(attempt).\(end ?? "")"
    }

    private var outlook: String {
        guard why.reporting > 0 else {
            return
                "No live host has reported on \(why.task). Make sure that a host with this task in its manifest runs: `lull status --fleet` lists the hosts."
        }
        func by(_ span: Int64) -> String { "by " + phrases.time(phrases.now + .milliseconds(span)) }
        switch (why.chance.half, why.chance.most) {
        case (let half?, let most?):
            return "It is 50 % likely to run on some host \(by(half)), and 90 % \(by(most))."
        case (let half?, nil): return "It is 50 % likely to run on some host \(by(half)); no more is known."
        case (nil, let most?): return "It is 90 % likely to run on some host \(by(most))."
        case (nil, nil):
            return
                "It is not known when it runs: \(why.reporting == 1 ? "the host that has it can't" : "none of \(why.reporting) hosts can") say."
        }
    }
}

/// The same as a format: times in RFC 3339, spans in milliseconds from now.
struct FleetWhyJSON: Encodable {
    struct Host: Encodable {
        let host: String
        let name: String
        let agoMs: Int64
        let gates: [String]
        let reason: String?
        /// Counted from its report: 50 % and 90 % likely to have run it by then.
        let halfMs: Int64?
        let mostMs: Int64?
    }

    let task: TaskIdentifier
    let hosts: [Host]
    let reportingCount: Int
    /// The same for all of them, from now.
    let halfMs: Int64?
    let mostMs: Int64?
    let slots: [FleetSlotJSON]
    let endedSlots: [FleetSlotJSON]

    init(_ why: FleetWhy) {
        (task, reportingCount) = (why.task, why.reporting)
        (halfMs, mostMs) = (why.chance.half, why.chance.most)
        hosts = why.hosts.map {
            Host(
                host: $0.host, name: $0.name, agoMs: $0.ago, gates: $0.gates, reason: $0.reason,
                halfMs: $0.half, mostMs: $0.most)
        }
        (slots, endedSlots) = (why.slots.map(FleetSlotJSON.init), why.ended.map(FleetSlotJSON.init))
    }
}

struct FleetSlotJSON: Encodable {
    let task: TaskIdentifier
    let nominal: String
    /// The place that it is for; absent: any.
    let target: String?
    let state: SlotState
    let reason: String?
    let host: String?
    let number: Int64?
    let attempt: Int
    let agoMs: Int64
    let leftMs: Int64?

    init(_ slot: SlotStatus) {
        task = slot.slot.task
        nominal = slot.slot.nominal.rfc3339
        target = slot.slot.target.isEmpty ? nil : slot.slot.target
        (state, reason, host, number) = (slot.state, slot.reason, slot.host, slot.number)
        (attempt, agoMs, leftMs) = (slot.attempt, slot.ago, slot.left)
    }
}
