import LullModel
import Testing

@testable import LullManifest

/// `fleet` at the top, and the fleet's keys in apps and tasks.
struct FleetKeyTests {
    private static let top = "version: 1\nfleet: { database: service=lull, labels: { zone: a } }\n"

    /// `keys` of an app with tasks, from line 7 on.
    private func manifest(_ keys: String, top: String = FleetKeyTests.top) throws -> Manifest {
        let lines = keys.split(separator: "\n").map { "    " + $0 + "\n" }.joined()
        let text = top + "apps:\n  com.example.A:\n    plugin: ColorFeed\n    idle_after: never\n" + lines
        let result = read(Array(text.utf8))
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map { $0.rendered() })")
        return try #require(result.manifest)
    }

    private func rules(_ task: String) throws -> FleetRules {
        let manifest = try manifest("tasks: { r: { \(task) } }")
        return try #require(manifest.tasks.first).fleet
    }

    @Test func `a fleet is a database, a name and labels`() throws {
        let app =
            "apps: { com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } } }\n"
        let short = read(
            Array(("version: 1\nfleet: { database: host=/run/postgresql dbname=x }\n" + app).utf8))
        #expect(short.manifest?.fleet == FleetDefinition(database: "host=/run/postgresql dbname=x"))
        #expect(short.manifest?.fleet?.name == "lull")
        let text = """
            version: 1
            \(app)fleet:
              database: "postgresql://lull@db.example.org/lull?sslmode=verify-full"
              name: prod_eu
              labels: { zone: eu-west-1a, example.org/role: web, cores: 16, ssd: true }

            """
        let fleet = try #require(read(Array(text.utf8)).manifest?.fleet)
        #expect(fleet.name == "prod_eu")
        #expect(
            fleet.labels == ["zone": "eu-west-1a", "example.org/role": "web", "cores": "16", "ssd": "true"])
        #expect(read(Array(("version: 1\n" + app).utf8)).manifest?.fleet == nil)
    }

    // MARK: follow

    private static let follows = "version: 1\nfleet: { database: service=lull, follow: fleet.yaml }\n"
    private static let followed = "/home/me/fleet.yaml"

    private func files(_ text: String?) -> FixedFileSystem {
        var files = machine
        files.entries[Self.followed] = text.map { _ in FileEntry(.file, realPath: Self.followed) }
        files.texts[Self.followed] = text
        return files
    }

    @Test func `who follows needs no apps, and has those of the file once it is there`() throws {
        let shared = "version: 1\napps: { com.example.B: { plugin: ColorFeed, idle_after: never } }\n"
        let path = "/home/me/jobs.yaml"
        func read(_ text: String, _ file: String?) -> ManifestResult {
            ManifestReader(pluginPath: ["/usr/lib/lull"], fileSystem: files(file)).read(
                text: Array(text.utf8), path: path)
        }
        let alone = try #require(read(Self.follows, nil).manifest)
        #expect(alone.fleet?.follow == Self.followed && alone.apps.isEmpty)
        #expect(alone.includePatterns == [Self.followed], "its coming is noticed")
        let both = try #require(read(Self.follows, shared).manifest)
        #expect(both.apps.map(\.identifier.text) == ["com.example.B"] && both.files == [path, Self.followed])
        // A shared manifest may not hold a host's own keys.
        let own = read(Self.follows, shared + "fleet: { database: service=x }\n")
        #expect(own.manifest == nil && own.diagnostics.first?.path == Self.followed)
        // With a stand-in for the followed file.
        let standIn = StandInFileSystem(Array(shared.utf8), at: Self.followed, beside: files(nil))
        let would = ManifestReader(pluginPath: ["/usr/lib/lull"], fileSystem: standIn).read(
            text: Array(Self.follows.utf8), path: path)
        #expect(would.manifest?.apps == both.apps)
    }

    @Test(arguments: ["jobs.yaml", "/home/me/jobs.yaml", "*.yaml", "a/", ".hidden"])
    func `what is no file of Lull's own is not followed`(path: String) {
        let text = "version: 1\nfleet: { database: service=lull, follow: '\(path)' }\n"
        let result = ManifestReader(pluginPath: [], fileSystem: machine).read(
            text: Array(text.utf8), path: "/home/me/jobs.yaml")
        #expect(result.manifest == nil)
        #expect(
            result.diagnostics.map(\.line) == [2]
                && result.diagnostics[0].fix.contains("/var/lib/lull/fleet.yaml"))
    }

    @Test func `what hosts share is read with a fleet, and without a host of its own`() {
        let reader = ManifestReader(pluginPath: ["/usr/lib/lull"], fileSystem: machine)
        let task = "tasks: { r: { kind: processing, repeat: 1d, scope: any_host } }"
        let shared =
            "version: 1\napps: { com.example.B: { plugin: ColorFeed, idle_after: never, \(task) } }\n"
        let result = reader.read(shared: Array(shared.utf8), path: "fleet.yaml")
        #expect(result.diagnostics.isEmpty && result.manifest?.tasks.first?.fleet.scope == .anyHost)
        for key in ["fleet: { database: service=x }", "include: [x.yaml]"] {
            let other = reader.read(shared: Array((shared + key + "\n").utf8), path: "fleet.yaml")
            #expect(other.manifest == nil && other.diagnostics.map(\.line) == [3], "\(key)")
        }
    }

    @Test func `a task says which hosts run it`() throws {
        #expect(try rules("kind: refresh") == .none)
        var rules = FleetRules()
        rules.scope = .anyHost
        #expect(try self.rules("kind: processing, repeat: 1d, scope: any_host") == rules)
        rules.lease = .minutes(10)
        #expect(try self.rules("kind: processing, repeat: 1d, scope: any_host, lease: 10m") == rules)
        rules.prefer = .freshest
        rules.labels = ["role": "web"]
        rules.spread = "zone"
        rules.concurrency = 2
        let manifest = try manifest(
            """
            usage: manual
            tasks:
              r:
                kind: processing
                at: daily 02:30
                timezone: UTC
                scope: any_host
                prefer: freshest
                lease: 10m
                hosts: { labels: { role: web }, spread: zone }
                concurrency: { fleet: 2, host: 3 }
            """)
        let task = try #require(manifest.tasks.first)
        #expect(task.fleet == rules && task.concurrency == 3 && task.fleet.needsLease)
        #expect(try self.rules("kind: processing, repeat: 1d, concurrency: { fleet: 5 }").concurrency == 5)
        #expect(try self.rules("kind: processing, concurrency: 5").concurrency == nil)
        #expect(try !self.rules("kind: processing, repeat: 1d, scope: each_host").needsLease)
    }

    @Test func `a run that asks the fleet has a lease, whichever key makes it ask`() throws {
        for key in ["scope: any_host", "concurrency: { fleet: 2 }", "hosts: { spread: zone }"] {
            let rules = try rules("kind: processing, repeat: 1d, \(key), lease: 24h")
            #expect(rules.lease == .hours(24) && rules.needsLease, "\(key)")
        }
    }

    @Test(arguments: [
        ("time_limit: 10m", Duration.minutes(1)), ("time_limit: 4h", .minutes(10)),
        ("time_limit: 30m", .seconds(150)), ("time_limit: 4h, lease: 2m", .minutes(2)),
        // With the time limit of its kind.
        ("priority: 0", .minutes(1)),
    ])
    func `a lease is a share of the time limit unless it is given`(keys: String, length: Duration) throws {
        let manifest = try manifest(
            "tasks: { r: { kind: processing, repeat: 1d, scope: any_host, \(keys) } }")
        #expect(manifest.tasks.first?.leaseLength == length)
    }

    /// A number alone means what it always did, also without a fleet.
    @Test func `a manifest of before means what it meant`() throws {
        let manifest = try manifest("tasks: { r: { kind: processing, concurrency: 7 } }", top: "version: 1\n")
        #expect(manifest.tasks.first?.concurrency == 7 && manifest.tasks.first?.fleet == FleetRules.none)
        let host = try self.manifest(
            "tasks: { r: { kind: processing, concurrency: { host: 7 } } }", top: "version: 1\n")
        #expect(host.tasks.first?.concurrency == 7 && host.tasks.first?.fleet.needsLease == false)
    }

    @Test func `what is inherited is taken by the tasks that can have it`() throws {
        let manifest = try manifest(
            """
            usage: manual
            push: {}
            transfers: { hosts: [example.org] }
            tasks:
              clock: { kind: processing, repeat: 1d }
              own: { kind: refresh, repeat: 1h, scope: each_host, hosts: {} }
              asked: { kind: processing }
              person: { kind: continued }
            """,
            top: Self.top
                + "defaults: { scope: any_host, prefer: idlest, lease: 1h, hosts: { labels: { role: web }, spread: zone } }\n"
        )
        let tasks = Dictionary(uniqueKeysWithValues: manifest.tasks.map { ($0.identifier.text, $0.fleet) })
        var rules = FleetRules()
        rules.labels = ["role": "web"]
        #expect(tasks["com.example.A.asked"] == rules)
        rules.spread = "zone"
        rules.scope = .anyHost
        rules.prefer = .idlest
        rules.lease = .hours(1)
        #expect(tasks["com.example.A.clock"] == rules)
        for name in ["own", "person", "push", "transfers"] {
            #expect(tasks["com.example.A." + name] == FleetRules.none, "\(name)")
        }
    }

    @Test func `uses of the whole fleet count, alone or beside sources`() throws {
        let app =
            "apps: { com.example.A: { plugin: ColorFeed, usage: USAGE, tasks: { r: { kind: refresh } } } }\n"
        func read(_ usage: String) throws -> App {
            let text = Self.top + app.replacing("USAGE", with: usage)
            let result = LullManifestTests.read(Array(text.utf8))
            #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map { $0.rendered() })")
            return try #require(result.manifest?.apps.first)
        }
        #expect(try read("fleet").sharesUses && read("fleet").usage == .manual)
        #expect(try read("[fleet]").sharesUses && read("[fleet]").usage == .manual)
        let both = try read("[{ login: any }, fleet]")
        #expect(both.sharesUses && both.usage == .sources([.login(user: nil)]))
        #expect(try !read("manual").sharesUses)
    }

    @Test func `an included file takes the fleet of the main one`() throws {
        let included = """
            version: 1
            apps:
              com.example.B:
                plugin: ColorFeed
                usage: fleet
                tasks: { r: { kind: processing, repeat: 1d, scope: any_host } }

            """
        func said(_ main: String) -> [String] {
            var machine = machine
            machine.entries["/home/me/jobs.d/b.yaml"] = FileEntry(.file, realPath: "/home/me/jobs.d/b.yaml")
            machine.texts["/home/me/jobs.d/b.yaml"] = included
            return read(Array(main.utf8), on: machine).diagnostics.map { $0.rendered() }
        }
        #expect(said(Self.top + "include: [jobs.d/b.yaml]\n") == [])
        #expect(
            said("version: 1\ninclude: [jobs.d/b.yaml]\n").compactMap { $0.split(separator: "\n").first } == [
                "jobs.d/b.yaml:5:12: error: `usage: fleet` needs a fleet, and this manifest has no `fleet`",
                "jobs.d/b.yaml:6:49: error: `scope: any_host` needs a fleet, and this manifest has no `fleet`",
            ])
    }

    @Test func `a diff says each of its keys`() throws {
        let tasks = "tasks: { r: { kind: processing, repeat: 1d } }"
        let old = try manifest("usage: manual\n" + tasks)
        let new = try manifest(
            "usage: [fleet]\n"
                + tasks.replacing(
                    "repeat: 1d",
                    with: "repeat: 1d, scope: any_host, prefer: cheapest, lease: 90s, "
                        + "concurrency: { fleet: 2 }, hosts: { spread: zone, labels: { role: web, a: b } }"),
            top: "version: 1\nfleet: { database: service=other, name: b, labels: { zone: a } }\n")
        let diff = ManifestDiff(from: old, to: new)
        func said(_ keys: [ManifestDiff.Key]) -> [String] {
            keys.map { "\($0.name): \($0.before ?? "nil") -> \($0.after ?? "nil")" }
        }
        #expect(
            said(diff.host) == [
                "fleet: { database: service=lull, name: lull, labels: { zone: a } } -> "
                    + "{ database: service=other, name: b, labels: { zone: a } }"
            ])
        #expect(said(diff.apps[0].keys) == ["usage: manual -> fleet"])
        #expect(
            said(diff.apps[0].tasks[0].keys) == [
                "concurrency: 1 -> { fleet: 2, host: 1 }", "scope: each_host -> any_host",
                "hosts.labels: nil -> { a: b, role: web }", "hosts.spread: nil -> zone",
                "prefer: nil -> cheapest", "lease: nil -> 90s",
            ])
    }
}
