import LullAnswers
import LullCommands
import LullHistory
import LullModel

/// The night of all hosts for people: failures first; hosts without one are only counted.
struct FleetNightText {
    let night: FleetNight
    let phrases: Phrases
    var showsAll = false
    /// Whether it is about one task: then it also shows where the task ran well.
    var isOfTask = false

    func rendered(for terminal: Terminal) -> String {
        var out = head + "\n\n"
        let lanes = lanes
        if !lanes.isEmpty {
            var table = Table(header: ["HOST", "TASK", "RESULT", "WHAT HAPPENED"])
            for (host, lane, result) in lanes.prefix(showsAll ? .max : Self.most) {
                table.rows.append([
                    .init(host), .init(lane.task.text), NightText.cell(result),
                    .init(NightText.what(lane, since: night.from)),
                ])
            }
            out += table.rendered(for: terminal) + "\n"
        }
        if !night.unrun.isEmpty { out += unrun.rendered(for: terminal) + "\n" }
        let hosts = isOfTask ? [] : showsAll ? night.hosts : night.hosts.filter { !$0.tally.isWell }
        if !hosts.isEmpty { out += figures(hosts).rendered(for: terminal) + "\n" }
        return out + rest.flatMap { wrapped($0, to: terminal.columns) }.joined(separator: "\n")
    }

    private var head: String {
        let hosts = night.hosts
        let failing = hosts.count { $0.tally.failed > 0 }
        let runs = hosts.reduce(0) { $0 + $1.tally.launched }
        let summary =
            hosts.isEmpty
            ? "no host ran anything"
            : "\(Phrase.count(hosts.count, "host")) began \(Phrase.count(runs, "run")), "
                + (failing == 0 ? "and none failed" : "and on \(failing) some failed")
        let slots =
            Phrase.count(night.unrun.count, "slot")
            + (night.unrun.count == 1 ? " that was due" : " that were due")
        let unrun =
            night.unrun.isEmpty
            ? "" : night.isUnrunCut ? " At least \(slots) did not run on any host." : " No host ran \(slots)."
        return "From \(phrases.time(night.from)) to \(phrases.time(night.to)) \(summary).\(unrun)"
            + (night.isUnrunCut ? " Only the newest slots were read." : "")
            + (night.isCut ? " Only the newest events were read." : "")
    }

    /// Failures first, on whichever host.
    private var lanes: [(host: String, lane: Timeline.Lane, result: Timeline.Lane.Result)] {
        let all = night.lanes.flatMap { host in
            host.timeline.lanes.map { (host.host, $0, $0.result(since: night.from)) }
        }
        let order: [Timeline.Lane.Result] =
            [.failed, .cut, .held] + (showsAll || isOfTask ? [.ran] : []) + (showsAll ? [.quiet] : [])
        return order.flatMap { result in all.filter { $0.2 == result } }
    }

    /// What no host ran, and why.
    private var unrun: Table {
        var table = Table(header: ["RUN FOR", "TASK", "BECAME", "WHY"])
        for slot in night.unrun.prefix(showsAll ? .max : Self.most) {
            table.rows.append([
                .init(phrases.time(slot.slot.nominal)), .init(slot.slot.task.text),
                FleetWhyText.cell(slot.state), .init(slot.reason.map { PrintedLast($0).inOneLine } ?? ""),
            ])
        }
        return table
    }

    private func figures(_ hosts: [FleetNight.Host]) -> Table {
        var table = Table(header: ["HOST", "BEGAN", "WELL", "FAILED", "CUT SHORT", "GIVEN UP"])
        for host in hosts.prefix(showsAll ? .max : Self.most) {
            table.rows.append([
                .init(host.host), .init("\(host.tally.launched)"), .init("\(host.tally.succeeded)"),
                .init("\(host.tally.failed)", host.tally.failed > 0 ? .red : nil),
                .init("\(host.tally.cutShort)", host.tally.cutShort > 0 ? .yellow : nil),
                .init("\(host.tally.givenUp)", host.tally.givenUp > 0 ? .yellow : nil),
            ])
        }
        return table
    }

    private static let most = 50

    private var rest: [String] {
        guard !isOfTask else {
            let left = showsAll ? 0 : lanes.count - Self.most
            return left > 0 ? ["\(Phrase.count(left, "host")) more; --all lists them."] : []
        }
        let troubled = night.hosts.count { !$0.tally.isWell }
        let well = night.hosts.count - troubled
        let silent = night.known - night.hosts.count
        var sentences: [String] = []
        if night.unrun.count > Self.most, !showsAll {
            sentences.append("Of the slots that no host ran the first \(Self.most) are listed.")
        }
        if troubled > Self.most, !showsAll {
            sentences.append("Only the first \(Self.most) hosts with trouble are listed.")
        }
        if !lanes.isEmpty, night.hosts.count > FleetNight.most {
            sentences.append("Tasks are listed only for the \(FleetNight.most) hosts with the most failures.")
        }
        if well > 0, !showsAll {
            sentences.append(
                "On \(Phrase.count(well, "host")) all runs went well; --all lists \(well == 1 ? "it" : "them")."
            )
        }
        if silent > 0 { sentences.append("\(Phrase.count(silent, "other host")) ran nothing.") }
        return sentences + [phrases.remedy("`lull night TASK --fleet` shows one task on all hosts.")]
    }
}

/// The same as JSON: the figures of each host, and the timelines of the hosts that are shown.
struct FleetNightJSON: Encodable {
    struct Lanes: Encodable {
        let host: String
        let place: String
        let timeline: TimelineJSON
    }

    struct Host: Encodable {
        let host: String
        let place: String
        let tally: FleetTally
    }

    let from: String
    let to: String
    let hosts: [Host]
    let knownHostCount: Int
    let cut: Bool
    let unrunSlots: [FleetSlotJSON]
    let unrunCut: Bool
    let timelines: [Lanes]

    init(_ night: FleetNight, zone: Zone) {
        (from, to) = (night.from.rfc3339, night.to.rfc3339)
        (knownHostCount, cut) = (night.known, night.isCut)
        (unrunSlots, unrunCut) = (night.unrun.map(FleetSlotJSON.init), night.isUnrunCut)
        hosts = night.hosts.map { Host(host: $0.host, place: $0.place, tally: $0.tally) }
        timelines = night.lanes.map {
            Lanes(
                host: $0.host, place: $0.place,
                timeline: TimelineJSON($0.timeline, zone: zone, isCut: night.isCut, showsPrinted: true))
        }
    }
}
