import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

/// Hosts with separate host names that share a PostgreSQL, and the fate of the slots: from the database, which logs each of
/// their changes, from the output of the runs and from the histories.
///
/// With `networks` each host is in a separate network, with a cable to the server's.
final class FleetYard {
    struct Host {
        let workshop: Workshop
        let place: OwnNamespace
        var process: Process?
    }

    let server: PostgresServer
    private let center: OwnNamespace?
    private(set) var hosts: [String: Host] = [:]
    var names: [String] { hosts.keys.sorted() }

    static let app = "com.example.Shared"
    private static let address = "10.78.0.1"
    /// `lull_lull.audit` logs each change of a slot's state.
    private static let audit = """
        create table lull_lull.audit (task text, target text, nominal bigint, was text, state text, number bigint);
        create function lull_lull.audited() returns trigger language plpgsql security definer as $$
        begin
            if tg_op = 'DELETE' then
                insert into lull_lull.audit values (old.task, old.target, old.nominal, old.state, 'gone', old.number);
            elsif tg_op = 'INSERT' or old.state <> new.state then
                insert into lull_lull.audit values (new.task, new.target, new.nominal,
                    case when tg_op = 'UPDATE' then old.state end, new.state, new.number);
            end if;
            return null;
        end $$;
        create trigger audited after insert or update or delete on lull_lull.slot
            for each row execute function lull_lull.audited();
        """

    /// Only root can make the networks, and only where PostgreSQL is installed.
    static let isPossible =
        PostgresServer.isThere && (try? OwnNamespace(["--net", "--uts"], script: "hostname named")) != nil
    static let absence: Comment = "needs root, namespaces, iproute2 and PostgreSQL"

    /// `tasks`: the tasks of one app, given the file that runs write to.
    init(
        _ names: [String], networks: Bool = false, server made: PostgresServer? = nil,
        tasks: (_ notes: String) -> String
    ) throws {
        let center =
            networks
            ? try OwnNamespace(
                ["--net"], script: "ip link set lo up && ip address add \(Self.address)/32 dev lo") : nil
        self.center = center
        server = try made ?? PostgresServer(through: center?.enter ?? [], listens: networks)
        try server.makeFleet(with: Workshop.lull)
        try server.sql(Self.audit)
        let address = networks ? "\(Self.address) sslmode=disable" : server.folder.path
        let manifest = """
            version: 1
            fleet: { database: 'host=\(address) user=lull dbname=postgres' }
            defaults:
              timezone: UTC
              concurrency: { host: 12, app: 12 }
              requires: { idle: false }
              retry: { first: 1s, max: 1s }
              lease: 1m
            apps:
              \(Self.app):
                plugin: Command
                idle_after: never
                user: host
                limits: { privileges: keep }
                tasks:

            """
        let text = manifest + tasks(notes)
        for (number, name) in names.enumerated() {
            let workshop = try Workshop()
            try text.write(toFile: workshop.folder + "/jobs.yaml", atomically: true, encoding: .utf8)
            try FileManager.default.createSymbolicLink(
                atPath: workshop.folder + "/plugins/libCommand.so",
                withDestinationPath: Workshop.products.appendingPathComponent("libCommand.so").path)
            let kinds = networks ? ["--net", "--uts"] : ["--uts"]
            let host = Host(workshop: workshop, place: try OwnNamespace(kinds, script: "hostname \(name)"))
            hosts[name] = host
            if let center {
                let own = "10.78.\(number + 1)"
                try center.lay("to-\(name)", own + ".1/24", to: host.place, own + ".2/24")
                try mend(name)
            }
        }
    }

    deinit {
        for name in names { kill(name) }
    }

    // MARK: Hosts

    func host(_ name: String) throws -> Host { try #require(hosts[name]) }

    /// Starts this host, or each that is not running; `more`: further arguments of `lull run`.
    func start(_ name: String? = nil, _ more: [String] = []) throws {
        for (other, host) in hosts where host.process?.isRunning != true && (name == nil || name == other) {
            hosts[other]?.process = try host.workshop.start(
                ["run", "jobs.yaml"] + more, through: host.place.enter)
        }
    }

    func kill(_ name: String) {
        guard let process = hosts[name]?.process, process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends a signal to the host and all processes that it has started.
    func send(_ signal: Int32, to name: String) throws {
        for process in try host(name).place.processes { Foundation.kill(process, signal) }
    }

    func cut(_ name: String) throws {
        try host(name).place.run(["ip", "link", "set", "to-\(name)", "down"])
    }

    func mend(_ name: String) throws {
        let place = try host(name).place
        try place.run(["ip", "link", "set", "to-\(name)", "up"])
        let own = try #require(
            place.run(["ip", "-4", "address", "show", "dev", "to-\(name)"])
                .firstMatch(of: /inet (10\.78\.\d+)\.2/)?.1)
        try place.run(["ip", "route", "replace", "default", "via", own + ".1"])
    }

    func endAll() throws {
        let running = hosts.filter { $0.value.process?.isRunning == true }
        for host in running.values { host.process?.terminate() }
        for (name, host) in running {
            host.process?.waitUntilExit()
            #expect(host.process?.terminationStatus == 0, "\(name): \(host.workshop.lastWords)")
        }
    }

    /// The output of a command on this host, as plain text.
    func lull(_ words: [String], on name: String) throws -> String {
        let (workshop, place) = (try host(name).workshop, try host(name).place)
        return try Command.run(
            place.enter + [Workshop.lull] + words
                + ["--state", workshop.state, "--plugins", workshop.folder + "/plugins"],
            in: workshop.folder
        ).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: What became of it

    struct Note: Hashable {
        let word: String
        let task: String
        let number: Int64
        let host: String
    }

    var notes: String { server.folder.path + "/notes" }

    /// A task's key `settings`: the run notes its begin and its end.
    static func run(_ task: String, _ notes: String, seconds: Double) -> String {
        func note(_ word: String) -> String {
            "echo \"\(word) \(task) ${LULL_FENCE:-0} $(uname -n)\" >> \(notes)"
        }
        return "settings: { run: '\(note("begin")); sleep \(seconds); \(note("end"))' }"
    }

    func noted(_ word: String, _ task: String? = nil) -> [Note] {
        let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 4, words[0] == word, task == nil || words[1] == task else { return nil }
            return Note(word: word, task: words[1], number: Int64(words[2]) ?? -1, host: words[3])
        }
    }

    /// Waits for `more` further notes with this word; returns the last one.
    @discardableResult
    func wait(for more: Int, _ word: String, _ task: String? = nil) throws -> Note {
        let before = noted(word, task).count
        try wait("\(more) more '\(word) \(task ?? "")'") { noted(word, task).count >= before + more }
        return try #require(noted(word, task).last)
    }

    func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let isThere = try Workshop.waits(until: isSo)
        let said = hosts.map { "\($0): \($1.workshop.lastWords)" }.joined(separator: "\n")
        try #require(isThere, "there was never: \(what).\n\(said)")
    }

    func rows(_ query: String) throws -> [String] {
        try server.sql("set search_path = lull_lull; \(query)").split(separator: "\n").map(String.init)
    }

    /// Waits until all slots due before now have ended, and hosts seen since then hold all slots leased by now. Returns now.
    @discardableResult
    func waitForAll() throws -> Int64 {
        let now = try #require(rows("select clock()").first.flatMap { Int64($0) })
        try wait("the end of all slots that were due") {
            try rows(
                """
                select task from slot where (state = 'open' and target = '' and nominal <= \(now))
                or (state = 'leased' and number <= \(now)
                    and holder not in (select host from host where seen > \(now)))
                """) == []
        }
        return now
    }

    /// The faults in words, once all hosts have ended.
    func faults() throws -> [String] {
        var faults: [String] = []
        func none(_ what: String, _ query: String) throws {
            faults += try rows(query).map { "\(what): \($0)" }
        }
        try none(
            "is leased for ever",
            "select task, nominal, number, holder, last_name, lease_end - clock() from slot where state = 'leased'"
        )
        try none(
            "has no reason",
            """
            select task, nominal, state, attempt from slot
            where state <> 'done' and reason is null and (state <> 'open' or attempt > 0)
            """)
        try none(
            "vanished",
            """
            select a.* from audit a where not exists (select from slot s
                where (s.task, s.target, s.nominal) = (a.task, a.target, a.nominal))
            """)
        try none(
            "ended twice",
            "select * from audit where was not in ('open', 'leased') or (was is null and state <> 'open')")
        let ended = noted("end")
        let ends = Dictionary(
            ended.filter { $0.number > 0 }.map { ("\($0.task) \($0.number)", 1) }, uniquingKeysWith: +)
        faults += ends.filter { $0.value > 1 }.map { "was done twice under one number: \($0.key)" }
        let done = try rows(
            "select replace(task, '\(Self.app).', '') || ' ' || number from slot where state = 'done'")
        faults += Set(done).subtracting(ends.keys).map { "is done, and no run has ended: \($0)" }
        // Each slot that a host recorded as done is done, and only one host recorded it.
        var told: [String: Int] = [:]
        for host in hosts.values {
            let history = try SQLiteHistory.open(folder: host.workshop.state, mode: .readOnly)
            for event in try history.events(matching: HistoryQuery(names: [.slot])) {
                guard let note = event.slot, note.act == .settled, note.state == .done,
                    let number = note.number
                else { continue }
                let task = note.name.task.text.dropFirst(Self.app.count + 1)
                told["\(task) \(number)", default: 0] += 1
            }
        }
        faults += told.filter { $0.value > 1 }.map { "was done by two: \($0.key)" }
        faults += Set(told.keys).subtracting(done).map { "was done, and is not: \($0)" }
        return faults
    }
}
