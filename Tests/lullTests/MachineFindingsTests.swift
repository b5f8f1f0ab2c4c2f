import LullConditions
import LullManifest
import LullModel
import LullSystem
import LullWorkers
import Testing

@testable import lull

/// The findings about a machine, from made-up facts.
struct MachineFindingsTests {
    /// A machine that lacks nothing.
    private static let good = MachineFacts(
        user: "kim", hasSystemd: true, isHostRunning: true,
        groups: GroupSight(controllers: ["cpu", "memory", "pids"], isDelegated: true),
        enforcement: Enforcement(landlock: 7, filtersCalls: true, isRoot: false), hasPressure: true,
        presence: .known(.active), presenceSource: .logind, instances: .init(most: 128, used: 3),
        watches: .init(most: 65536, used: 100), now: WallTime(seconds: 1_800_000_000),
        isClockSynchronised: true,
        hasZone: true, state: "/state", room: DiskRoom(bytes: 1 << 30))

    /// One that needs everything.
    private static func greedy() throws -> MachineNeeds {
        let name = try #require(AppIdentifier("org.example.a"))
        var app = App(identifier: name, plugin: "/x.so")
        app.usage = .sources([
            .access(path: "/srv/mail"), .log(path: "/var/log/web/access.log", match: nil, time: .common),
        ])
        app.transfers = TransferRules()
        app.push = PushRules()
        var task = TaskDefinition(
            identifier: try #require(TaskIdentifier("org.example.a.b")), app: name, kind: .processing)
        task.requires = Requirements(idle: true, diskFree: 1 << 20)
        task.windows = [Window(opens: 60, closes: 300, text: "01:00-05:00")]
        task.on = [.path(WatchedPath(path: "/srv/in", isFolder: true))]
        app.tasks = [task]
        var other = App(identifier: try #require(AppIdentifier("org.example.c")), plugin: "/x.so")
        other.push = PushRules(mqtt: MQTTSource(host: "broker"))
        var manifest = Manifest(apps: [app, other])
        manifest.fleet = FleetDefinition(database: "host=db")
        return MachineNeeds(manifest)
    }

    /// One that needs nothing but to run.
    private static func modest() throws -> MachineNeeds {
        var app = App(identifier: try #require(AppIdentifier("org.example.a")), plugin: "/x.so")
        var task = TaskDefinition(
            identifier: try #require(TaskIdentifier("org.example.a.b")), app: app.identifier, kind: .refresh)
        task.repeat = .hours(1)
        app.tasks = [task]
        return MachineNeeds(Manifest(apps: [app]))
    }

    private func findings(for needs: MachineNeeds, _ change: (inout MachineFacts) -> Void = { _ in })
        -> [MachineFinding]
    {
        var facts = Self.good
        change(&facts)
        return MachineFindings(facts, for: needs).all
    }

    @Test func `of a machine that has all of it, all is well`() throws {
        let found = findings(for: try Self.greedy())
        #expect(found.allSatisfy { $0.severity == .ok && $0.fix == nil }, "\(found)")
        #expect(
            found.map(\.subject) == [
                "user", "confinement", "control groups", "presence", "pressure", "inotify", "clock",
                "time zone", "state",
                "open files", "libpq", "libmosquitto", "lull-transfer",
            ])
    }

    @Test func `what nothing of the manifest uses is not said, or well`() throws {
        let found = findings(for: try Self.modest())
        #expect(found.map(\.subject) == ["user", "confinement", "control groups", "state", "open files"])
    }

    struct Lack: CustomTestStringConvertible, Sendable {
        let subject: String
        let change: @Sendable (inout MachineFacts) -> Void
        /// Where the manifest uses it, and where it does not; nil: no finding.
        let used: MachineFinding.Severity
        let unused: MachineFinding.Severity?
        let words: String
        let remedy: String
        var testDescription: String { "\(subject): \(words)" }
    }

    private static let lacks: [Lack] = [
        Lack(
            subject: "confinement",
            change: { $0.enforcement = Enforcement(landlock: 0, filtersCalls: true, isRoot: false) },
            used: .note, unused: .note, words: "files (the kernel has no Landlock)", remedy: "lsm=landlock"),
        Lack(
            subject: "confinement",
            change: { $0.enforcement = Enforcement(landlock: 4, filtersCalls: true, isRoot: false) },
            used: .note, unused: .note, words: "Landlock 6 is needed", remedy: "Run Linux 6.12 or later"),
        Lack(
            subject: "control groups", change: { $0.groups = nil }, used: .note, unused: .note,
            words: "version 2 are mounted", remedy: "systemd.unified_cgroup_hierarchy=1"),
        Lack(
            subject: "control groups",
            change: { $0.groups = GroupSight(controllers: ["memory", "pids"], isDelegated: false) },
            used: .note, unused: .note, words: "delegated to the running host",
            remedy: "systemctl start lull"),
        Lack(
            subject: "control groups",
            change: {
                $0.groups = GroupSight(controllers: [], isDelegated: false)
                ($0.hasSystemd, $0.isHostRunning) = (false, false)
            },
            used: .note, unused: .note, words: "a host started from here", remedy: "Only systemd"),
        Lack(
            subject: "control groups",
            change: { $0.groups = GroupSight(controllers: ["memory"], isDelegated: true) },
            used: .note, unused: .note, words: "does not limit cpu and pids",
            remedy: "Delegate=cpu memory pids"),
        Lack(
            subject: "presence", change: { $0.presence = .unknown("no logind") }, used: .note, unused: nil,
            words: "(no logind). Tasks that wait for an idle host go by the load alone: 1.",
            remedy: "libsystemd0"),
        Lack(
            subject: "pressure", change: { $0.hasPressure = false }, used: .note, unused: .note,
            words: "PSI", remedy: "psi=1"),
        Lack(
            subject: "inotify instances", change: { $0.instances = .init(most: 128, used: 125) },
            used: .error, unused: .note, words: "128 instances of inotify, of which 125 are in use",
            remedy: "sysctl fs.inotify.max_user_instances=262"),
        Lack(
            subject: "inotify watches", change: { $0.watches = .init(most: 8) }, used: .error,
            unused: .note, words: "accesses (`usage: access`) are not seen",
            remedy: "sysctl fs.inotify.max_user_watches="),
        Lack(
            subject: "clock", change: { $0.now = WallTime(seconds: 86400) }, used: .error, unused: .note,
            words: "It says 1970-01-02T", remedy: "timedatectl set-ntp true"),
        Lack(
            subject: "clock", change: { $0.isClockSynchronised = false }, used: .note, unused: nil,
            words: "nothing keeps it in sync. Tasks that depend on it: 1.", remedy: "chrony"),
        Lack(
            subject: "time zone", change: { $0.hasZone = false }, used: .note, unused: nil, words: "UTC",
            remedy: "set-timezone"),
        Lack(
            subject: "state", change: { $0.room = DiskRoom(bytes: 1 << 20) }, used: .error, unused: .error,
            words: "1 MiB is free at /state", remedy: "--state"),
        Lack(
            subject: "state", change: { $0.room = DiskRoom(bytes: 1 << 30, files: 3) }, used: .error,
            unused: .error, words: "room for 3 more files", remedy: "Make room"),
        Lack(
            subject: "state", change: { $0.room = nil }, used: .note, unused: .note,
            words: "can't read how much is free",
            remedy: "df /state"),
        Lack(
            subject: "state", change: { $0.stateTrouble = .init(message: "It is closed.", fix: "Open it.") },
            used: .error, unused: .error, words: "It is closed.", remedy: "Open it."),
        Lack(
            subject: "open files", change: { $0.descriptors = 20 }, used: .error, unused: .error,
            words: "may have 20 open files", remedy: "ulimit -n"),
        Lack(
            subject: "open files", change: { $0.descriptors = 64 }, used: .note, unused: .note,
            words: "64 for a process, and a host needs about", remedy: "LimitNOFILE="),
        Lack(
            subject: "libpq", change: { $0.fleetTrouble = .init(message: "No libpq.", fix: "Install it.") },
            used: .error, unused: nil, words: "No libpq. `fleet` does not work.", remedy: "Install it."),
        Lack(
            subject: "libmosquitto", change: { $0.brokerTrouble = .init(message: "None.", fix: "Get it.") },
            used: .error, unused: nil, words: "`mqtt` of org.example.c does not work.", remedy: "Get it."),
        Lack(
            subject: "lull-transfer",
            change: { $0.transferTrouble = .init(message: "None.", fix: "Get it.") },
            used: .error, unused: nil, words: "`transfers` of org.example.a does not work.", remedy: "Get it."
        ),
        Lack(
            subject: "lull-page", change: { $0.pageTrouble = .init(message: "None.", fix: "Get it.") },
            used: .note, unused: nil, words: "Nobody can push to org.example.a over HTTP", remedy: "Get it."),
    ]

    @Test(arguments: lacks)
    func `what it lacks is an error only where the manifest uses it, and has a remedy`(lack: Lack) throws {
        let found = try #require(
            findings(for: try Self.greedy(), lack.change).first { $0.subject == lack.subject })
        #expect(found.severity == lack.used)
        #expect(found.message.contains(lack.words), "\(found.message)")
        #expect(found.message.hasSuffix("."))
        #expect(found.fix?.contains(lack.remedy) == true, "\(found)")
        let others = findings(for: try Self.greedy(), lack.change).filter { $0.subject != lack.subject }
        #expect(others.allSatisfy { $0.severity == .ok }, "\(others)")
        let unused = findings(for: try Self.modest(), lack.change).first { $0.subject == lack.subject }
        #expect(unused?.severity == lack.unused, "\(unused.map { "\($0)" } ?? "nothing")")
    }

    @Test func `that more is to be free than is has a remedy, and keeps nothing else from running`() throws {
        let found = findings(for: try Self.greedy()) { $0.room = DiskRoom(bytes: 20 << 20) }
        #expect(found.allSatisfy { $0.severity == .ok })
        var needs = try Self.greedy()
        needs.diskFree = 1 << 30
        let state = findings(for: needs) { $0.room = DiskRoom(bytes: 20 << 20) }.first {
            $0.subject == "state"
        }
        #expect(
            state?.severity == .note
                && state?.message == "20 MiB is free at /state, and a task requires 1 GiB.")
    }

    @Test func `shortness of watches harms only who learns from accesses`() throws {
        var needs = try Self.greedy()
        needs.learnsFromAccesses = false
        let found = findings(for: needs) { $0.watches = .init(most: 8) }.first {
            $0.subject == "inotify watches"
        }
        #expect(found?.severity == .note && found?.message.hasSuffix("now and then instead.") == true)
    }

    @Test func `of each folder on the way one watch is needed, whoever goes it`() throws {
        var needs = try Self.modest()
        let before = needs.watches
        needs.watched = ["/srv/in", "/srv/out"]
        // The root, /srv and both.
        #expect(needs.watches == before + 4)
    }

    @Test func `as whom apps run is said for root's host and another's`() throws {
        var manifest = Manifest(apps: [])
        for (name, user, keeps) in [
            ("org.example.a", nil, false), ("org.example.b", "www-data", false),
            ("org.example.c", "host", false),
            ("org.example.d", nil, true),
        ] {
            var app = App(identifier: try #require(AppIdentifier(name)), plugin: "/x.so")
            (app.user, app.limits.keepsPrivileges) = (user, keeps)
            manifest.apps.append(app)
        }
        let root = findings(for: MachineNeeds(manifest)) {
            $0.enforcement = Enforcement(landlock: 7, filtersCalls: true, isRoot: true)
        }
        #expect(
            root.first?.message
                == "If root runs the host, its apps run like this: 1 under an account of its own, 1 as the user in the manifest and 2 as root."
        )
        #expect(
            findings(for: MachineNeeds(manifest)).first?.message
                == "If kim runs the host, its apps run as kim.")
        manifest.apps = manifest.apps.map {
            var app = $0
            app.enabled = false
            return app
        }
        #expect(MachineNeeds(manifest).apps == 0)
    }
}
