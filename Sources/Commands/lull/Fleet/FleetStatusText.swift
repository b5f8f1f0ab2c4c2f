import LullCommands
import LullModel

/// `lull fleet status` for people: the hosts, those with a problem first, then the tasks.
struct FleetStatusText {
    let report: FleetReport
    /// The fleet's name.
    let name: String
    let phrases: Phrases
    /// Shows all hosts and tasks, and not only as many as a person reads.
    var showsAll = false

    /// The most rows of a table that is not shown whole.
    static let most = 40

    func rendered(for terminal: Terminal) -> String {
        func paragraph(_ text: String, _ style: Terminal.Style? = nil) -> String {
            let lines = wrapped(text, to: terminal.columns)
            return lines.map { line in (style.map { terminal.styled(line, $0) } ?? line) + "\n" }.joined()
        }
        var out = paragraph(summary, .bold)
        if let rollout = report.rollout {
            for line in rollout.sentences { out += paragraph(line, rollout.isWell ? nil : .yellow) }
        }
        guard !report.hosts.isEmpty else {
            return out
                + paragraph(
                    phrases.remedy("A host joins when its manifest has `fleet` and it runs: `lull run`."))
        }
        out += "\n" + hosts(terminal)
        for sentence in shown(report.hosts.compactMap { FleetSentences.drain(of: $0, phrases) }) {
            out += paragraph(sentence)
        }
        if report.hosts.contains(where: \.isClockWrong) {
            out += paragraph(
                "→ Leases and due times go by the database's clock. A host whose clock is wrong asks too early or too late: "
                    + "synchronise it with NTP.")
        }
        let disputed = report.disputed
        if !disputed.isEmpty {
            out += "\n" + paragraph("Hosts disagree about \(Phrase.count(disputed.count, "task")):", .bold)
            for task in shown(disputed) {
                out += paragraph(task.task.text)
                for definitionHash in task.definitionHashes {
                    out +=
                        "    " + definitionHash.definitionHash.prefix(8) + "  " + Self.names(definitionHash)
                        + "\n"
                }
            }
            out += rest(of: disputed.count, "tasks")
            out += paragraph(
                "→ A slot is run by a host that has the same definition of the task. `lull diff OTHER.yaml` says what differs."
            )
        }
        if !report.tasks.isEmpty { out += "\n" + tasks(terminal) }
        if report.tasks.contains(where: { $0.failed + $0.expired > 0 }) {
            out += paragraph(
                phrases.remedy("→ `lull status --fleet` says what failed or expired, on which host and why."))
        }
        while out.hasSuffix("\n\n") { out.removeLast() }
        return out
    }

    /// "Fleet lull: 3 hosts, of which 1 does not answer and 1 is draining; 4 slots open, 2 leased, 1 failed in the last day."
    var summary: String {
        let gone = report.hosts.count(where: \.isSilent)
        let stopped = report.hosts.count(where: \.stopped)
        let draining = report.hosts.count { $0.lives && $0.draining }
        let parts = [
            gone == 0 ? nil : "\(gone) \(gone == 1 ? "does" : "do") not answer",
            draining == 0 ? nil : "\(draining) \(draining == 1 ? "is" : "are") draining",
            stopped == 0 ? nil : "\(stopped) \(stopped == 1 ? "is" : "are") stopped",
        ].compactMap(\.self)
        let hosts =
            report.hosts.isEmpty
            ? "no host yet"
            : Phrase.count(report.hosts.count, "host")
                + (parts.isEmpty ? "" : ", of which " + Phrase.list(parts))
        func sum(_ part: (FleetReport.Task) -> Int) -> Int { report.tasks.map(part).reduce(0, +) }
        let ended = [(sum(\.failed), "failed"), (sum(\.expired), "expired")].filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }
        return "Fleet \(name): \(hosts); \(Phrase.count(sum(\.open), "slot")) open, \(sum(\.leased)) leased"
            + (ended.isEmpty ? "" : ", " + Phrase.list(ended) + " in the last day") + "."
    }

    private func hosts(_ terminal: Terminal) -> String {
        var table = Table(header: ["HOST", "PLACE", "STATE", "CLOCK", "LEASES", "LULL", "MANIFEST", "LABELS"])
        let rows = report.hosts.enumerated().sorted { a, b in
            (rank(a.element), a.offset) < (rank(b.element), b.offset)
        }.map(\.element)
        let usual = (most(\.manifest), most(\.version))
        for host in shown(rows) {
            let state = state(of: host)
            table.rows.append([
                .init(host.name, .bold), .init(String(host.place.prefix(8))), .init(state.text, state.style),
                .init(clock(of: host), host.isClockWrong ? .yellow : nil), .init(String(host.leases)),
                .init(host.version, host.version == usual.1 ? nil : .yellow),
                .init(String(host.manifest.prefix(8)), host.manifest == usual.0 ? nil : .yellow),
                .init(
                    host.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(
                        separator: " ")),
            ])
        }
        return table.rendered(for: terminal) + rest(of: rows.count, "hosts")
    }

    private func tasks(_ terminal: Terminal) -> String {
        var table = Table(header: ["OPEN", "LEASED", "FAILED", "EXPIRED", "TASK"])
        let rows = report.tasks.enumerated().sorted { a, b in
            let (a1, b1) = (
                a.element.failed + a.element.expired > 0, b.element.failed + b.element.expired > 0
            )
            return a1 == b1 ? a.offset < b.offset : a1
        }.map(\.element)
        for task in shown(rows) {
            table.rows.append([
                .init(String(task.open)), .init(String(task.leased), task.leased > 0 ? .green : nil),
                .init(String(task.failed), task.failed > 0 ? .red : nil),
                .init(String(task.expired), task.expired > 0 ? .red : nil), .init(task.task.text),
            ])
        }
        return table.rendered(for: terminal) + rest(of: rows.count, "tasks")
    }

    private func shown<Row>(_ rows: [Row]) -> [Row] { showsAll ? rows : Array(rows.prefix(Self.most)) }

    private func rest(of count: Int, _ what: String) -> String {
        showsAll || count <= Self.most ? "" : "… and \(count - Self.most) more \(what): --all\n"
    }

    /// The order: hosts that are silent, then those with a wrong clock, then those that are drained or were
    /// stopped, then the others.
    private func rank(_ host: FleetReport.Host) -> Int {
        if host.isSilent { return 0 }
        return host.isClockWrong ? 1 : host.stopped ? 3 : host.draining ? 2 : 4
    }

    private func state(of host: FleetReport.Host) -> (text: String, style: Terminal.Style?) {
        let span = Phrase.span(.milliseconds(host.ago))
        let seen = host.ago < 1000 ? "now" : span + " ago"
        if host.stopped { return ("stopped \(seen)", .dim) }
        if host.isSilent { return ("silent for \(span)", .red) }
        return host.draining ? ("draining, \(seen)", .yellow) : (seen, .green)
    }

    private func clock(of host: FleetReport.Host) -> String {
        guard host.lives, let ahead = host.ahead else { return "–" }
        return host.isClockWrong ? Self.ahead(ahead) : "right"
    }

    /// "+40 min", "−5 s".
    static func ahead(_ span: Int64) -> String {
        (span > 0 ? "+" : "−") + Phrase.span(.milliseconds(Int64(clamping: span.magnitude)))
    }

    /// The value that most hosts have.
    private func most(_ part: (FleetReport.Host) -> String) -> String {
        Dictionary(grouping: report.hosts.map(part), by: \.self)
            .max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? ""
    }

    private static func names(_ definitionHash: FleetReport.DefinitionHash) -> String {
        let more = definitionHash.count - definitionHash.hosts.count
        return definitionHash.hosts.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
