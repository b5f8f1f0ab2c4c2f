import LullAnswers
import LullCommands
import LullModel

/// A row of `lull top --fleet`: a host or a slot, in the part of the screen that it belongs to.
struct FleetTopRow {
    /// In the order of the screen.
    enum Part: CaseIterable { case trouble, running, failed, due, well }

    enum Subject {
        case host(FleetOverview.Host)
        case slot(SlotStatus)

        /// Stays the same while a slot moves from one part to another.
        enum ID: Hashable { case host(String), slot(SlotName) }

        var id: ID {
            switch self {
            case .host(let host): .host(host.host)
            case .slot(let slot): .slot(slot.slot)
            }
        }
    }

    let part: Part
    let subject: Subject

    var task: TaskIdentifier? {
        if case .slot(let slot) = subject { slot.slot.task } else { nil }
    }

    static func all(of overview: FleetOverview) -> [FleetTopRow] {
        Part.allCases.flatMap { part -> [FleetTopRow] in
            let subjects: [Subject] =
                switch part {
                case .trouble: overview.hosts.filter(\.isTroubled).map { .host($0) }
                case .running:
                    lateFirst(overview).map { .slot($0) }
                case .failed: overview.failed.map { .slot($0) }
                case .due: overview.due.map { .slot($0) }
                case .well: overview.hosts.filter { !$0.isTroubled }.map { .host($0) }
                }
            return subjects.map { FleetTopRow(part: part, subject: $0) }
        }
    }

    /// Late slots first: their host has not reported for two beats, or their lease has ended. Lease lengths differ
    /// between tasks, so the host's silence counts.
    private static func lateFirst(_ overview: FleetOverview) -> [SlotStatus] {
        let heard = Dictionary(overview.hosts.map { ($0.name, $0.ago) }, uniquingKeysWith: min)
        let late = Set(
            overview.leased.filter { slot in
                let isSilent = slot.host.flatMap { heard[$0] }.map { .milliseconds($0) > FleetTimes.beat * 2 }
                return isSilent == true || slot.left.map { $0 <= 0 } == true
            })
        return overview.leased.sorted {
            (late.contains($0) ? 0 : 1, $0.slot) < (late.contains($1) ? 0 : 1, $1.slot)
        }
    }

    /// Name, where, when, what.
    func cells(_ phrases: Phrases) -> [Table.Cell] {
        switch subject {
        case .host(let host):
            return [.init(host.name), host.standing, .init(phrases.ago(host.ago)), .init(Self.what(host))]
        case .slot(let slot):
            let (when, what): (String, Table.Cell) =
                switch part {
                case .due:
                    (phrases.relative(slot.slot.nominal), .init(slot.reason ?? "no host has taken it yet"))
                case .running: (phrases.ago(slot.ago), Self.lease(slot))
                default: (phrases.ago(slot.ago), .init(slot.reason.map { PrintedLast($0).inOneLine } ?? ""))
                }
            let name = Table.Cell(slot.slot.task.text, part == .failed ? .red : nil)
            return [name, .init(slot.host ?? "–"), .init(when), what]
        }
    }

    private static func what(_ host: FleetOverview.Host) -> String {
        var parts = [
            host.leases > 0 ? Phrase.count(host.leases, "run") : nil,
            host.missing.flatMap { $0 > 0 ? Phrase.count(Int($0), "event") + " missing" : nil },
        ].compactMap(\.self)
        if !host.labels.isEmpty { parts.append(host.labelText) }
        return (parts + ["Lull " + host.version]).joined(separator: "; ")
    }

    private static func lease(_ slot: SlotStatus) -> Table.Cell {
        let attempt = slot.attempt > 1 ? ", try \(slot.attempt)" : ""
        guard let left = slot.left else { return .init(attempt) }
        return left > 0
            ? .init(Phrase.about(.milliseconds(left)) + " left" + attempt)
            : .init("over" + attempt + ": another host takes it", .yellow)
    }

    /// All details, in sentences.
    func detail(_ phrases: Phrases) -> [String] {
        switch subject {
        case .host(let host): return Self.detail(host, phrases)
        case .slot(let slot):
            let name = "\(slot.slot.task) for \(phrases.time(slot.slot.nominal))"
            switch part {
            case .running: return ["\(slot.slot.task): \(FleetWhyText.held(slot, phrases))"]
            case .due:
                return [
                    "\(name): \(slot.reason ?? "no host has taken it yet"). w shows what holds it back on each host."
                ]
            default:
                let ended = "\(name) \(slot.state.rawValue) \(phrases.ago(slot.ago))"
                return ["\(ended)\(slot.host.map { " on " + $0 } ?? ""): \(slot.reason ?? "no reason given")"]
            }
        }
    }

    private static func detail(_ host: FleetOverview.Host, _ phrases: Phrases) -> [String] {
        let heard = "\(host.name), place \(host.place.prefix(8)), last answered \(phrases.ago(host.ago))"
        let runs = Phrase.count(host.leases, "run")
        var sentences = [heard + (host.leases == 0 || !host.lives ? "." : " and has \(runs).")]
        if host.isSilent {
            let lost = host.leases == 0 ? "" : " Another host takes its \(runs) over."
            sentences.append(
                "It does not answer.\(lost) If it is gone for good: `lull fleet forget \(host.name)`.")
        }
        if host.stopped { sentences.append("It was stopped properly then.") }
        if host.isClockWrong, let ahead = host.ahead {
            sentences.append(
                "Its clock is wrong by \(FleetStatusText.ahead(ahead)): synchronise it with NTP.")
        }
        if host.draining {
            sentences.append("It is draining. `lull fleet resume \(host.name)` lets it take slots again.")
        }
        if let missing = host.missing, missing > 0 {
            sentences.append(
                "It deleted \(Phrase.count(Int(missing), "event")) before they were sent: raise its `retention`."
            )
        }
        sentences.append(
            "Lull \(host.version), manifest \(host.manifest.prefix(8))"
                + (host.labels.isEmpty ? "" : ", \(host.labelText)")
                + (host.through.map { "; the database has its history up to event \($0)." }
                    ?? "; the database has none of its history."))
        return sentences.map(phrases.remedy)
    }
}

extension FleetTopRow.Part {
    var heads: [String] {
        switch self {
        case .trouble: ["TROUBLE", "STATE", "HEARD", "WHAT"]
        case .running: ["RUNNING", "ON", "SINCE", "LEASE"]
        case .failed: ["FAILED", "ON", "ENDED", "WHY"]
        case .due: ["DUE", "LAST ON", "SINCE", "WHY"]
        case .well: ["HOSTS", "STATE", "HEARD", "WHAT"]
        }
    }
}
