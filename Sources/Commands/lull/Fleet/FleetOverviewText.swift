import LullAnswers
import LullCommands
import LullModel

/// The state of the fleet, for people: failures, runs, and the hosts, those with trouble first.
struct FleetOverviewText {
    let status: FleetOverview
    let fleet: String
    let phrases: Phrases

    /// Hosts without trouble, and slots, that are listed at most.
    private static let most = 30

    func rendered(for terminal: Terminal) -> String {
        var out = wrapped(summary, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }.joined()
        for remark in remarks {
            out += wrapped(phrases.remedy(remark), to: terminal.columns).map {
                terminal.styled($0, .yellow) + "\n"
            }
            .joined()
        }
        for table in [failed, leased, hosts] where !table.rows.isEmpty {
            out += "\n" + table.rendered(for: terminal)
        }
        let hidden = status.hosts.count - listed.count
        if hidden > 0 {
            out += terminal.styled("\(Phrase.count(hidden, "host")) more without trouble.", .dim)
        }
        while out.hasSuffix("\n") { out.removeLast() }
        return out
    }

    private var summary: String {
        let living = status.hosts.count(where: \.lives)
        let stopped = status.hosts.count(where: \.stopped)
        let draining = status.hosts.count { $0.lives && $0.draining }
        var parts = ["\(living) of \(Phrase.count(status.hosts.count, "host")) live"]
        if draining > 0 { parts.append("\(draining) \(draining == 1 ? "is" : "are") draining") }
        if stopped > 0 { parts.append("\(stopped) \(stopped == 1 ? "is" : "are") stopped") }
        parts.append("\(Phrase.count(status.leasedCount, "run")) under way")
        parts.append("\(status.open) to be run")
        parts.append("\(status.failedCount) failed or expired within a day")
        return "Fleet \(fleet): " + parts.joined(separator: ", ") + "."
    }

    private var remarks: [String] {
        let different = status.differences.map { difference in
            let sides = difference.definitionHashes.map { definitionHash in
                let rest = definitionHash.count - definitionHash.hosts.count
                return Phrase.list(definitionHash.hosts + (rest > 0 ? ["\(rest) more"] : []))
            }
            return
                "The hosts do not agree on \(difference.task): \(sides.joined(separator: " have one definition, ")) another. See `lull fleet status`."
        }
        let missing = status.hosts.filter { ($0.missing ?? 0) > 0 }
        let deleted = missing.first.map { host in
            let others = missing.count > 1 ? " and \(Phrase.count(missing.count - 1, "other host"))" : ""
            return
                "\(host.name)\(others) deleted events before they were sent here. Where a host is often cut off for long, raise its `retention`."
        }
        let manifest = status.rollout.map { $0.isWell ? [] : $0.sentences } ?? []
        return manifest + different + [deleted].compactMap { $0 }
    }

    private var failed: Table {
        var table = Table(header: ["FAILED", "RUN FOR", "ON", "ENDED", "WHY"])
        for slot in status.failed.prefix(Self.most) {
            table.rows.append([
                .init(slot.slot.task.text, .red), .init(phrases.time(slot.slot.nominal)),
                .init(slot.host ?? "–"),
                .init(phrases.ago(slot.ago)), .init(slot.reason.map { PrintedLast($0).inOneLine } ?? ""),
            ])
        }
        return table
    }

    private var leased: Table {
        var table = Table(header: ["RUNNING", "RUN FOR", "ON", "TAKEN", "LEASE"])
        for slot in status.leased.prefix(Self.most) {
            let end = slot.left.map { left in
                left > 0
                    ? "for \(Phrase.about(.milliseconds(left)))" : "ended: another host will take it over"
            }
            table.rows.append([
                .init(slot.slot.task.text), .init(phrases.time(slot.slot.nominal)), .init(slot.host ?? "–"),
                .init(phrases.ago(slot.ago)), .init(end ?? ""),
            ])
        }
        return table
    }

    private var listed: [FleetOverview.Host] {
        status.hosts.filter(\.isTroubled) + status.hosts.filter { !$0.isTroubled }.prefix(Self.most)
    }

    private var hosts: Table {
        let hasLabels = listed.contains { !$0.labels.isEmpty }
        var table = Table(
            header: ["HOST", "HEARD", "STATE", "LULL", "MANIFEST", "RUNS", "EVENTS"]
                + (hasLabels ? ["LABELS"] : []))
        for host in listed {
            table.rows.append(
                [
                    .init(host.name), .init(phrases.ago(host.ago)), host.standing, .init(host.version),
                    .init(String(host.manifest.prefix(8))), .init("\(host.leases)"),
                    .init(host.through.map { "\($0)" } ?? "–"),
                ] + (hasLabels ? [.init(host.labelText)] : []))
        }
        return table
    }
}

extension FleetOverview.Host {
    var standing: Table.Cell {
        if isSilent { return .init("silent", .red) }
        if stopped { return .init("stopped", .dim) }
        if isClockWrong, let ahead { return .init("clock " + FleetStatusText.ahead(ahead), .yellow) }
        return draining ? .init("draining", .yellow) : .init("live", .green)
    }

    var labelText: String {
        labels.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}

extension Phrases {
    /// The words for a span of milliseconds before now, as the fleet's database has it: "4 min ago".
    func ago(_ span: Int64) -> String { relative(now - .milliseconds(span)) }
}
