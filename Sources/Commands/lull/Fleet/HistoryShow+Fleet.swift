import LullAnswers
import LullCommands
import LullHistory
import LullModel

/// `lull history --fleet`: runs and events of all hosts, as the database has them.
extension HistoryShow {
    func showFleet() throws {
        let reader = try options.reader()
        if let number { return try show(run: RunID(number), from: reader) }
        let names = NameResolver(options.folder.manifestInForce ?? options.read(nil).manifest ?? Manifest())
        let count = limit ?? (json ? FleetQuery.mostEvents : Self.usual)
        var query = FleetQuery()
        query.app = try app.map { $0.text == AppIdentifier.host.text ? .host : try names.app($0.text) }
        query.task = try task.map { try names.task($0.text) }
        query.hosts = host
        query.since = since?.time(ahead: false)
        if showsEvents(of: query.app) {
            query.names = Set(event + (failed ? [.failed, .interrupted] : []))
            try showEvents(query, count, reader)
        } else {
            try showRuns(query, count, reader)
        }
    }

    private func showEvents(_ query: FleetQuery, _ count: Int, _ reader: any FleetReader) throws {
        var query = query
        query.limit = count == 0 ? FleetQuery.mostEvents : min(count + 1, FleetQuery.mostEvents)
        var past = try askingFleet { try FleetPast.read(query, from: reader) }
        if failed, event.isEmpty { past.events.removeAll { !$0.event.isFailure } }
        let isCut = past.isCut || (count != 0 && past.events.count > count)
        if count != 0 { past.events = past.events.suffix(count) }
        note(past)
        if json {
            guard !past.events.isEmpty else { return }
            return Output.data(past.events.map(\.line).joined(separator: "\n"))
        }
        guard !past.events.isEmpty else { return Output.answer("No event of the fleet matches.") }
        let table = EventTable(
            events: past.events.map(\.event), phrases: .current, hosts: past.events.map(\.host))
        Output.answer(styled: table.rendered(for: .output))
        if isCut { noteCut("events") }
    }

    private func showRuns(_ query: FleetQuery, _ count: Int, _ reader: any FleetReader) throws {
        var query = query
        query.names = failed ? [.failed, .interrupted] : [.launched, .completed, .failed, .interrupted]
        let asked = RunQuery(ending: failed ? .failed : nil, limit: .max, showsPrinted: true)
        // The launches of the newest ends may stand behind the events of many other hosts.
        query.limit = count == 0 ? FleetQuery.mostEvents : min(2 * count + 2, FleetQuery.mostEvents)
        var past = try askingFleet { try FleetPast.read(query, from: reader) }
        var found = past.runs(asked)
        while past.isCut, found.count <= count, query.limit < FleetQuery.mostEvents {
            query.limit = min(query.limit * 8, FleetQuery.mostEvents)
            past = try askingFleet { try FleetPast.read(query, from: reader) }
            found = past.runs(asked)
        }
        note(past)
        let runs = RunLines(found, most: count == 0 ? nil : count)
        guard !runs.isEmpty else {
            return Output.answer(
                "No run of the fleet matches. `lull history --fleet --events` shows all that happened.")
        }
        Output.answer(styled: runs.rendered(for: .output, .current))
        if runs.isCut || past.isCut { noteCut("runs") }
    }

    /// Each host numbers its runs on its own.
    private func show(run: RunID, from reader: any FleetReader) throws {
        var query = FleetQuery()
        query.run = run
        query.hosts = host
        let past = try askingFleet { try FleetPast.read(query, from: reader) }
        let found = past.byHost
        guard let (host, place, events) = found.first else {
            throw Failure(
                self.host.isEmpty
                    ? "No host of the fleet has a run \(run)."
                    : "\(Phrase.list(self.host)) has no run \(run) in the fleet's database.")
        }
        guard found.count == 1 else {
            let names = Phrase.list(Array(found.prefix(5).map(\.host)))
            throw Failure(
                "\(found.count) hosts have a run \(run), such as \(names). Name the one that you mean with --host. If two hosts share a name, give the place from `lull status --fleet --json`."
            )
        }
        let history = MemoryHistory()
        let printed = try askingFleet { try FleetPast.output(of: run, on: place, from: reader) }
        let time = events.last?.time ?? .distantPast
        let chunk = printed.map {
            OutputChunk(run: run, stream: .standardOutput, time: time, bytes: Array($0.utf8))
        }
        try history.append(HistoryBatch(events: events, outputs: chunk.map { [$0] } ?? []))
        guard let account = try RunAccount(run, in: history) else { return }
        if json { return try Output.json(RunAccountJSON(account, against: nil, runs: nil)) }
        let hosts = account.events.map { _ in host }
        Output.answer(
            styled: EventTable(events: account.events, phrases: .current, hosts: hosts).rendered(for: .output)
        )
        Output.answer("\n" + account.text(against: nil, phrases: .current))
    }

    private func note(_ past: FleetPast) {
        guard past.unread > 0 else { return }
        Output.error(
            "note: \(Phrase.count(past.unread, "event")) of hosts with a newer Lull could not be read. Use the `lull` of their version to see all."
        )
    }
}
