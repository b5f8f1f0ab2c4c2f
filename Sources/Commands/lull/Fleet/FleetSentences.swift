import LullCommands
import LullFleet
import LullModel

/// The sentences of the commands of `lull fleet`.
enum FleetSentences {
    static func noFleet(in path: String) -> String {
        "\(path) has no `fleet`, so this host is alone. Write `fleet: { database: service=lull }` at its top, or name "
            + "the database with --database."
    }

    /// The database is given, but the fleet's name would come from the manifest.
    static func unnamed(in path: String) -> String {
        "\(path) has errors, so the fleet's name can't be read from it. Give it with --name, such as `--name "
            + "\(FleetDefinition.usualName)`; `lull check` says what is wrong."
    }

    /// The tasks that the fleet assigns or counts, and those that are not for this host; nil: there is no fleet.
    static func share(of manifest: Manifest) -> String? {
        guard let fleet = manifest.fleet else { return nil }
        let tasks = manifest.tasks.filter(\.enabled)
        let others = tasks.filter { task in
            !task.fleet.labels.allSatisfy { fleet.labels[$0.key] == $0.value }
        }
        let shared = tasks.filter { $0.fleet.scope == .anyHost }
        let limited = tasks.filter { $0.fleet.scope == .eachHost && $0.fleet.needsLease }
        func names(_ tasks: [TaskDefinition]) -> String {
            let shown = tasks.prefix(5).map(\.identifier.text)
            return Phrase.list(shown + (tasks.count > 5 ? ["\(tasks.count - 5) more"] : []))
        }
        var parts = ["one host runs " + (shared.isEmpty ? "nothing for all" : names(shared) + " for all")]
        if !limited.isEmpty { parts.append("runs of \(names(limited)) are counted over all hosts") }
        if !others.isEmpty {
            parts.append("\(names(others)) \(others.count == 1 ? "is" : "are") not for this host's labels")
        }
        if let path = fleet.follow, !manifest.files.contains(path) {
            parts.append("\(path) is to hold what `lull fleet apply` gives the fleet, and is not there yet")
        }
        return "In the fleet \(fleet.name) \(parts.joined(separator: "; "))."
    }

    static func notFound(_ search: FleetReport.Search) -> String {
        switch search {
        case .noHost(let text, let nearest?): "The fleet has no host '\(text)'. Did you mean '\(nearest)'?"
        case .noHost(let text, nil):
            "The fleet has no host '\(text)'. `lull fleet status` lists their names and places."
        case .several(let text, let places):
            "\(places.count) hosts are called '\(text)'. Name the one that you mean by its place: "
                + Phrase.list(places.map { String($0.prefix(12)) }) + "."
        }
    }

    /// `place`: nil for a host that has none yet.
    static func notMember(place: String?) -> String {
        "The fleet does not know this host" + (place.map { ", whose place is \($0.prefix(8))" } ?? "")
            + ". It joins when `lull run` runs here with a manifest that has `fleet`. To name another host, write "
            + "`lull fleet drain web1`."
    }

    /// The trouble of `lull fleet init`, which needs more rights than hosts do.
    static func troubleInstalling(_ trouble: FleetTrouble) -> String {
        guard case .refused(_, "42501", _) = trouble else { return trouble.sentence }
        return trouble.message + " Run it as a superuser, or as the database's owner with CREATEROLE: "
            + "`sudo -u postgres lull fleet init --database dbname=lull`. Or let an administrator run what "
            + "`lull fleet init --print` prints."
    }

    /// `called`: the operator's name for it, which is clear even if several hosts share a name; nil: it is this host.
    static func drained(_ hosts: [FleetReport.Host], called: String?, _ phrases: Phrases) -> String {
        let leases = hosts.map(\.leases).reduce(0, +)
        let end = hosts.lazy.compactMap(\.drain?.left).first.map {
            " until \(phrases.time(phrases.now + .milliseconds($0)))"
        }
        return "\(name(hosts)) is draining: it takes no new slots\(end ?? "")"
            + (leases == 0 ? "" : ", and finishes the \(Phrase.count(leases, "run")) that it has")
            + ". `lull fleet resume\(called.map { " " + $0 } ?? "")` ends the drain."
    }

    static func alreadyDraining(_ hosts: [FleetReport.Host], _ phrases: Phrases) -> String {
        "Nothing is changed: "
            + (hosts.lazy.compactMap { drain(of: $0, phrases) }.first ?? "\(name(hosts)) is draining.")
    }

    /// "web2 has been drained since 10:00 by ops@desk, until 18:00: new disk."; nil: it takes slots.
    static func drain(of host: FleetReport.Host, _ phrases: Phrases) -> String? {
        guard let drain = host.drain else { return nil }
        let since = phrases.time(phrases.now - .milliseconds(drain.ago))
        let until = drain.left.map { ", until \(phrases.time(phrases.now + .milliseconds($0)))" } ?? ""
        let by = drain.by.map { " by \($0)" } ?? ""
        let why = drain.reason.map { ": \($0)" } ?? ""
        return "\(host.name) has been drained since \(since)\(by)\(until)\(why).".terminalSafe
    }

    static func waits(for hosts: [FleetReport.Host], _ leases: Int) -> String {
        "\(name(hosts)) still has \(Phrase.count(leases, "fleet run"))."
    }

    static func isEmpty(_ hosts: [FleetReport.Host]) -> String {
        "\(name(hosts)) has no fleet run left."
    }

    static func takesSlotsAgain(_ hosts: [FleetReport.Host], _ leases: Int) -> String {
        "\(name(hosts)) takes slots again, and still has \(Phrase.count(leases, "fleet run")): its drain is over. "
            + "`lull fleet drain \(name(hosts)) --wait` drains it again."
    }

    static func resumed(_ hosts: [FleetReport.Host]) -> String { "\(name(hosts)) takes slots again." }

    static func notDraining(_ hosts: [FleetReport.Host]) -> String { "\(name(hosts)) is not draining." }

    static func forgotten(_ hosts: [FleetReport.Host], freed: Int) -> String {
        "\(name(hosts)) is forgotten"
            + (freed == 0
                ? "."
                : "; \(Phrase.count(freed, "slot")) that it had \(freed == 1 ? "is" : "are") open again.")
    }

    static func livesStill(_ host: FleetReport.Host, called: String) -> String {
        "\(host.name) is alive: it answered \(Phrase.span(.milliseconds(host.ago))) ago. Stop Lull there first. To "
            + "keep it from taking new slots, use `lull fleet drain \(called)`."
    }

    static func installed(fleet: String, schema: String, version: Int, from old: Int?) -> String {
        let deed =
            switch old {
            case nil: "The schema \(schema) of the fleet \(fleet) is there, at version \(version)."
            case version?: "The schema \(schema) of the fleet \(fleet) is at version \(version) already."
            case let old?:
                "The schema \(schema) of the fleet \(fleet) went from version \(old) to \(version)."
            }
        return deed + "\n" + grants(fleet: fleet)
    }

    /// The grants that the database's owner still has to make.
    static func grants(fleet: String) -> String {
        """
        Grant the first role to the role that hosts connect as, the second to people who only read, and the third to
        people who apply manifests (`lull fleet apply`):
          GRANT "lull_\(fleet)_host" TO …;
          GRANT "lull_\(fleet)_reader" TO …;
          GRANT "lull_\(fleet)_operator" TO …;
        """
    }

    /// What a host needs to use its own login. `password`: one that was made up.
    static func hostLogin(_ login: String, of fleet: FleetDefinition, password: String?) throws -> String {
        let address = try DatabaseAddress(fleet.database.isEmpty ? "host=…" : fleet.database)
        var parts = address.parameters.filter { key, value in
            key != "user" && !value.isEmpty && !key.hasSuffix("password")
        }
        let isPlaced = ["host", "hostaddr", "service"].contains { address[$0] != nil }
        if !isPlaced { parts.insert(("host", "…"), at: 0) }
        parts.append(("user", login))
        let line = parts.map { key, value -> String in
            let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return value.contains(" ") || escaped != value ? "\(key)='\(escaped)'" : "\(key)=\(value)"
        }.joined(separator: " ")
        let place = "In the host's jobs.yaml, under `fleet`:\n  database: \(JSONValue.string(line).text)"
        return place + (password.map { "\nIts password, which Lull does not show again:\n  \($0)" } ?? "")
    }

    private static func name(_ hosts: [FleetReport.Host]) -> String { hosts.first?.name ?? "" }
}
