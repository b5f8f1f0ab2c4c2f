import LullFleet
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// The text of `lull fleet`.
struct FleetTextTests {
    private let now = WallTime(seconds: 1_795_276_800)

    private func task(_ name: String) throws -> TaskIdentifier {
        try #require(TaskIdentifier("com.example.Feed." + name))
    }

    private func report() throws -> FleetReport {
        var report = FleetReport(now: now.milliseconds, version: 1)
        report.hosts = [
            .init(
                host: "a1", place: "9f2c41aa00", name: "web1", version: "0.2.0", manifest: "3e4f9a1177",
                labels: ["zone": "a", "role": "web"], ago: 3000, leases: 1, ahead: 12),
            .init(
                host: "a2", place: "77aa01bb00", name: "web2", version: "0.2.0", manifest: "3e4f9a1177",
                labels: ["zone": "b"], ago: 9000,
                drain: FleetDrain(by: "ops@desk", reason: "new disk\u{1B}", ago: 3_600_000, left: 7_200_000),
                ahead: -2_400_000),
            .init(
                host: "a3", place: "1234567800", name: "db1", version: "0.1.0", manifest: "00112233aa",
                ago: 7_200_000, leases: 2, ahead: 90_000),
        ]
        report.tasks = [
            .init(
                try task("report"),
                definitionHashes: [
                    .init("aaaaaaaa11", hosts: ["web1", "web2"], count: 7),
                    .init("bbbbbbbb22", hosts: ["db1"]),
                ],
                open: 2, leased: 1),
            .init(
                try task("clean"), definitionHashes: [.init("cc", hosts: ["web1"])], leased: 2, failed: 1,
                expired: 3),
        ]
        return report
    }

    private func text(_ report: FleetReport, columns: Int = 120, all: Bool = false) -> String {
        FleetStatusText(report: report, name: "lull", phrases: Phrases(now: now, zone: .utc), showsAll: all)
            .rendered(for: Terminal(columns: columns))
    }

    @Test func `status shows hosts with a problem first, who disagrees, and what fails`() throws {
        let expected = """
            Fleet lull: 3 hosts, of which 1 does not answer and 1 is draining; 2 slots open, 3 leased, 1 failed and 3 expired in the
            last day.

            HOST  PLACE     STATE              CLOCK    LEASES  LULL   MANIFEST  LABELS
            db1   12345678  silent for 2 h     –        2       0.1.0  00112233
            web2  77aa01bb  draining, 9 s ago  −40 min  0       0.2.0  3e4f9a11  zone=b
            web1  9f2c41aa  3 s ago            right    1       0.2.0  3e4f9a11  role=web zone=a
            web2 has been drained since 15:00 by ops@desk, until 18:00: new disk␛.
            → Leases and due times go by the database's clock. A host whose clock is wrong asks too early or too late: synchronise
            it with NTP.

            Hosts disagree about 1 task:
            com.example.Feed.report
                aaaaaaaa  web1, web2 and 5 more
                bbbbbbbb  db1
            → A slot is run by a host that has the same definition of the task. `lull diff OTHER.yaml` says what differs.

            OPEN  LEASED  FAILED  EXPIRED  TASK
            0     2       1       3        com.example.Feed.clean
            2     1       0       0        com.example.Feed.report
            → `lull status --fleet` says what failed or expired, on which host and why.

            """
        let lines = text(try report()).split(separator: "\n").map(String.init)
        #expect(lines == expected.split(separator: "\n").map(String.init))
    }

    @Test func `a host that was stopped is not one that does not answer`() throws {
        var report = try report()
        report.hosts[2].stopped = true
        let lines = text(report).split(separator: "\n").map(String.init)
        #expect(
            lines[0].hasPrefix("Fleet lull: 3 hosts, of which 1 is draining and 1 is stopped;"), "\(lines[0])"
        )
        #expect(lines[4].hasPrefix("db1   12345678  stopped 2 h ago    –"), "\(lines)")
    }

    @Test func `of many hosts as many are shown as a person reads`() throws {
        var report = FleetReport(now: now.milliseconds, version: 1)
        report.hosts = (0..<1000).map { .init(host: "h\($0)", place: "place\($0)", name: "host\($0)") }
        report.hosts[999].ago = 3_600_000
        let few = text(report).split(separator: "\n")
        #expect(few.count == FleetStatusText.most + 3 && few[2].hasPrefix("host999 "))
        #expect(few.last == "… and 960 more hosts: --all")
        #expect(text(report, all: true).split(separator: "\n").count == 1002)
        #expect(few[0].hasPrefix("Fleet lull: 1000 hosts, of which 1 does not answer;"))
    }

    @Test(arguments: [40, 60, 80, 120]) func `it fits the terminal`(columns: Int) throws {
        for line in text(try report(), columns: columns).split(separator: "\n") {
            #expect(line.displayWidth <= columns || !line.contains(" "), "\(line)")
        }
    }

    @Test func `without hosts it says how one joins`() {
        #expect(
            text(FleetReport(now: 0, version: 1)) == """
                Fleet lull: no host yet; 0 slots open, 0 leased.
                A host joins when its manifest has `fleet` and it runs: `lull run`.

                """)
    }

    @Test func `a host is found by its name, its place or the place's beginning`() throws {
        var report = try report()
        #expect(try report.hosts(called: "web1").map(\.host) == ["a1"])
        #expect(try report.hosts(called: "77aa").map(\.host) == ["a2"])
        #expect(throws: FleetReport.Search.noHost("web3", nearest: "web1")) {
            try report.hosts(called: "web3")
        }
        #expect(throws: FleetReport.Search.noHost("77a", nearest: nil)) { try report.hosts(called: "77a") }
        report.hosts[1].name = "web1"
        let several = FleetReport.Search.several("web1", places: ["77aa01bb00", "9f2c41aa00"])
        #expect(throws: several) { try report.hosts(called: "web1") }
        #expect(
            FleetSentences.notFound(several)
                == "2 hosts are called 'web1'. Name the one that you mean by its place: 77aa01bb00 and 9f2c41aa00."
        )
        // One process after the other.
        report.hosts[1].place = "9f2c41aa00"
        #expect(try report.hosts(called: "web1").count == 2)
    }

    @Test func `trouble is a sentence with a way out`() {
        let place = "service=lull"
        #expect(
            FleetTrouble.unreachable(place: place, words: "no route to host").sentence
                == "Can't connect to the fleet's database (service=lull): no route to host. Make sure that the server runs and listens there."
        )
        #expect(
            FleetTrouble.refused(place: place, state: "3F000", words: "no such schema").sentence
                .hasSuffix("Install the fleet's schema: `lull fleet init`."))
        #expect(
            FleetSentences.troubleInstalling(
                .refused(place: place, state: "42501", words: "permission denied")
            )
            .contains("`sudo -u postgres lull fleet init --database dbname=lull`"))
        #expect(
            FleetSentences.noFleet(in: "jobs.yaml").hasPrefix(
                "jobs.yaml has no `fleet`, so this host is alone. Write "))
        #expect(
            FleetSentences.unnamed(in: "jobs.yaml")
                == "jobs.yaml has errors, so the fleet's name can't be read from it. Give it with --name, such as "
                + "`--name lull`; `lull check` says what is wrong.")
    }

    @Test func `each order is answered by what became of it`() throws {
        let (hosts, phrases) = (try report().hosts, Phrases(now: now, zone: .utc))
        #expect(
            FleetSentences.drained([hosts[0]], called: "web1", phrases)
                == "web1 is draining: it takes no new slots, and finishes the 1 run that it has. `lull fleet resume web1` ends the drain."
        )
        #expect(
            FleetSentences.drained([hosts[1]], called: nil, phrases)
                == "web2 is draining: it takes no new slots until 18:00. `lull fleet resume` ends the drain.")
        #expect(
            FleetSentences.forgotten([hosts[2]], freed: 2)
                == "db1 is forgotten; 2 slots that it had are open again.")
        #expect(FleetSentences.forgotten([hosts[2]], freed: 0) == "db1 is forgotten.")
        #expect(
            FleetSentences.livesStill(hosts[0], called: "9f2c")
                == "web1 is alive: it answered 3 s ago. Stop Lull there first. To keep it from taking new slots, use `lull fleet drain 9f2c`."
        )
        #expect(
            FleetSentences.installed(fleet: "eu", schema: "lull_eu", version: 2, from: 1) == """
                The schema lull_eu of the fleet eu went from version 1 to 2.
                Grant the first role to the role that hosts connect as, the second to people who only read, and the third to
                people who apply manifests (`lull fleet apply`):
                  GRANT "lull_eu_host" TO …;
                  GRANT "lull_eu_reader" TO …;
                  GRANT "lull_eu_operator" TO …;
                """)
    }
}

/// The text of `lull check` for a manifest with a fleet.
struct FleetShareTests {
    private func manifest(_ change: (inout Manifest) -> Void) throws -> Manifest {
        var app = App(identifier: try #require(AppIdentifier("com.example.A")), plugin: "/a.so")
        app.tasks = try ["a", "b", "c", "d"].map { name in
            TaskDefinition(
                identifier: try #require(TaskIdentifier("com.example.A." + name)), app: app.identifier,
                kind: .processing)
        }
        var manifest = Manifest(apps: [app])
        change(&manifest)
        return manifest
    }

    @Test func `check names what is shared, what is counted, and what is for other hosts`() throws {
        #expect(FleetSentences.share(of: try manifest { _ in }) == nil)
        let alone = try manifest { $0.fleet = FleetDefinition(database: "service=lull") }
        #expect(FleetSentences.share(of: alone) == "In the fleet lull one host runs nothing for all.")
        var follows = try manifest { $0.fleet = FleetDefinition(database: "service=lull", follow: "/a.yaml") }
        #expect(
            FleetSentences.share(of: follows)
                == "In the fleet lull one host runs nothing for all; /a.yaml is to hold what `lull fleet apply` gives the "
                + "fleet, and is not there yet.")
        follows.files = ["/jobs.yaml", "/a.yaml"]
        #expect(FleetSentences.share(of: follows) == "In the fleet lull one host runs nothing for all.")
        let shared = try manifest {
            $0.fleet = FleetDefinition(database: "service=lull", name: "eu", labels: ["zone": "a"])
            $0.apps[0].tasks[0].fleet.scope = .anyHost
            $0.apps[0].tasks[1].fleet.scope = .anyHost
            $0.apps[0].tasks[1].fleet.labels = ["zone": "b"]
            $0.apps[0].tasks[2].fleet.concurrency = 2
            $0.apps[0].tasks[3].enabled = false
            $0.apps[0].tasks[3].fleet.scope = .anyHost
        }
        #expect(
            FleetSentences.share(of: shared)
                == "In the fleet eu one host runs com.example.A.a and com.example.A.b for all; runs of com.example.A.c "
                + "are counted over all hosts; com.example.A.b is not for this host's labels.")
    }
}
