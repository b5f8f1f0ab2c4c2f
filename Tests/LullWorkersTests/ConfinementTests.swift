import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullWorkers

/// The confinement refuses what a plugin may not do: a real plugin in a real worker tries each act.
struct ConfinementTests {
    /// The result of the attempt: "done as 0", "Permission denied as 65534".
    private func attempt(
        _ task: String, at path: String = "", number: Int32 = 0, user: String? = nil,
        limits: AppLimits = AppLimits(), _ bench: WorkerBench
    ) throws -> String {
        let settings = JSONValue.object(["path": .string(path), "number": .string(String(number))])
        var app = try bench.app(
            "good", plugin: bench.compile("Attempts"), tasks: [task], settings: settings)
        app.limits = limits
        app.user = user
        let folder = bench.folder + "/own"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The host does this before a start.
        if let number = user.flatMap({ getpwnam($0)?.pointee.pw_uid }) { chown(folder, number, number) }
        try bench.pool.start(WorkerSpec(app: app, stateFolder: folder))
        try bench.launch(1, task, of: app.identifier)
        let line = try bench.wait(for: "an answer") { event -> String? in
            switch event {
            case .log(_, _, let message): message
            case .failed(let sentence), .exited(let sentence, _): sentence
            default: nil
            }
        }
        return line
    }

    @Test(arguments: [AppLimits.Files?.none, .all])
    func `an app schedules its own threads, and nobody else's`(write: AppLimits.Files?) throws {
        let bench = try WorkerBench()
        var app = try bench.app("good", plugin: bench.compile("OwnThreads"), tasks: ["now"])
        if let write { app.limits.write = write }
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try bench.launch(1, "now", of: app.identifier)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines == ["made 0, bound 0, nice 0, own 0, another's \(EPERM)"])
    }

    /// A folder outside the folders for temporary files, although the test's own is inside one.
    private func outside(_ bench: WorkerBench) throws -> String {
        let base = try #require(ClosedFolder.path, "\(ClosedFolder.absence)")
        let path = "\(base)/lull-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static let user = geteuid()

    @Test(
        arguments: [
            ("trace", "Operation not permitted"), ("memory", "Permission denied"),
            ("copy", "Operation not permitted"), ("environment", "Permission denied"),
            ("limit", "Operation not permitted"), ("signal", "Operation not permitted"),
            ("everybody", "Operation not permitted"), ("thread", "Operation not permitted"),
            ("mount", "Operation not permitted"), ("namespace", "Operation not permitted"),
            ("ring", "Function not implemented"), ("module", "Operation not permitted"),
        ])
    func `by default no host is traced or signalled, and no kernel reconfigured`(
        task: String, answer: String
    ) throws {
        #expect(try attempt(task, WorkerBench()) == "\(answer) as \(Self.user)")
    }

    @Test func `an app leaves no larger core files than its host would`() throws {
        var own = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &own) == 0)
        var few = rlimit(rlim_cur: min(own.rlim_max, 1 << 20), rlim_max: own.rlim_max)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &few) == 0)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &own) }
        #expect(try attempt("core", WorkerBench()) == "Operation not permitted as \(Self.user)")
    }

    @Test func `with all privileges kept it may do what its user may`() throws {
        var limits = AppLimits()
        limits.keepsPrivileges = true
        #expect(try attempt("signal", limits: limits, WorkerBench()) == "done as \(Self.user)")
        let bench = try WorkerBench()
        let path = try outside(bench)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try attempt("write", at: path + "/new", limits: limits, bench) == "done as \(Self.user)")
    }

    @Test(.enabled(if: Enforcement.ofThisMachine.landlock >= 6))
    func `another app's worker is not signalled`() throws {
        let bench = try WorkerBench()
        let neighbour = try bench.start("Good", as: "neighbour")
        _ = try bench.waitForReady()
        let pid = try #require(try bench.pool.pid(of: neighbour))
        #expect(try attempt("neighbour", number: pid, bench) == "Operation not permitted as \(Self.user)")
    }

    @Test(.enabled(if: Enforcement.ofThisMachine.landlock > 0), arguments: ["write", "truncate", "remove"])
    func `by default nothing is written but its own folder and temporary files`(task: String) throws {
        let bench = try WorkerBench()
        let path = try outside(bench)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "kept".write(toFile: path + "/file", atomically: true, encoding: .utf8)
        let refused = try attempt(task, at: path + "/file", bench)
        #expect(refused == "Permission denied as \(Self.user)")
        #expect(try String(contentsOfFile: path + "/file", encoding: .utf8) == "kept")
        for free in [bench.folder + "/own/new", NSTemporaryDirectory() + UUID().uuidString] {
            #expect(try attempt("write", at: free, WorkerBench()) == "done as \(Self.user)")
            try? FileManager.default.removeItem(atPath: free)
        }
        var limits = AppLimits()
        limits.write = .under([path])
        #expect(
            try attempt(task, at: path + "/file", limits: limits, WorkerBench()) == "done as \(Self.user)")
        limits.write = .all
        #expect(
            try attempt("write", at: path + "/other", limits: limits, WorkerBench()) == "done as \(Self.user)"
        )
    }

    @Test(.enabled(if: Enforcement.ofThisMachine.landlock > 0))
    func `where reading is limited, only what is named is read`() throws {
        let bench = try WorkerBench()
        let path = try outside(bench)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "secret".write(toFile: path + "/file", atomically: true, encoding: .utf8)
        #expect(try attempt("read", at: path + "/file", bench) == "done as \(Self.user)")
        var limits = AppLimits()
        limits.read = .under([])
        let refused = try attempt("read", at: path + "/file", limits: limits, WorkerBench())
        #expect(refused == "Permission denied as \(Self.user)")
        limits.read = .under([path + "/file", path + "/nothing"])
        #expect(
            try attempt("read", at: path + "/file", limits: limits, WorkerBench()) == "done as \(Self.user)")
    }

    @Test(arguments: ["tcp", "udp"])
    func `without a network nothing is connected`(task: String) throws {
        var limits = AppLimits()
        limits.network = false
        #expect(
            try attempt(task, number: 9, limits: limits, WorkerBench()) == "Permission denied as \(Self.user)"
        )
        // Nothing listens at the port, which only an app with a network finds out.
        let answers = ["done as \(Self.user)", "Connection refused as \(Self.user)"]
        #expect(try answers.contains(attempt(task, number: 9, WorkerBench())))
    }

    @Test func `a device is made by nobody`() throws {
        let bench = try WorkerBench()
        #expect(
            try attempt("device", at: bench.folder + "/own/disk", bench).hasPrefix("Operation not permitted")
                || Enforcement.ofThisMachine.landlock > 0)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/own/disk"))
    }

    @Test func `no more files are open than it may`() throws {
        var limits = AppLimits()
        limits.descriptors = 64
        #expect(try attempt("files", limits: limits, WorkerBench()) == "Too many open files as \(Self.user)")
        limits.descriptors = 512
        #expect(try attempt("files", limits: limits, WorkerBench()) == "done as \(Self.user)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may become another user"))
    func `an app runs as the user that it names, and does not get back`() throws {
        let bench = try WorkerBench()
        #expect(try attempt("root", user: "nobody", opened(bench)) == "Operation not permitted as 65534")
        #expect(
            try attempt("read", at: "/etc/shadow", user: "nobody", opened(WorkerBench()))
                == "Permission denied as 65534")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may make a program that is root's"))
    func `a program that is root's gains nothing`() throws {
        let bench = try opened(WorkerBench())
        let shell = bench.folder + "/shell"
        try FileManager.default.copyItem(
            at: URL(filePath: "/bin/sh").resolvingSymlinksInPath(), to: URL(filePath: shell))
        try #require(chmod(shell, 0o4755) == 0)
        #expect(try attempt("setuid", at: shell, user: "nobody", bench) == "Operation not permitted as 65534")
    }

    @Test func `a user who is not there is named with a remedy`() throws {
        let bench = try WorkerBench()
        let sentence = try attempt("root", user: "nobody-there", bench)
        #expect(
            sentence
                == "There is no user 'nobody-there'. Make it with `useradd --system nobody-there`, or write another after `user:`."
        )
    }

    @Test func `a user's name with a slip leads to the nearest account`() throws {
        let root = Enforcement(landlock: 7, filtersCalls: true, isRoot: true)
        var app = App(identifier: try #require(AppIdentifier("org.example.app")), plugin: "/x.so")
        app.user = "www-dtaa"
        let found = root.shortcomings(of: app, accounts: ["root", "www-data"]).first
        #expect(found?.message == "there is no user 'www-dtaa'" && found?.fix == "did you mean `www-data`?")
        let far = root.shortcomings(of: app, accounts: ["root"]).first
        #expect(far?.fix.hasPrefix("make it with `useradd --system www-dtaa`") == true)
    }

    @Test func `what an account of its own can't write by permissions is said, with the owner's name`() throws
    {
        let root = Enforcement(landlock: 7, filtersCalls: true, isRoot: true)
        var app = App(identifier: try #require(AppIdentifier("org.example.app")), plugin: "/x.so")
        app.limits.write = .under(["/etc", "/tmp"])
        let found = root.shortcomings(of: app)
        #expect(found.map(\.key) == [["limits", "write"]])
        #expect(
            found.first?.message.contains("the permissions of /etc do not let that account write there")
                == true)
        #expect(found.first?.fix.contains("`user: root`") == true)
        #expect(Enforcement(landlock: 7, filtersCalls: true, isRoot: false).shortcomings(of: app).isEmpty)
        app.user = "host"
        #expect(root.shortcomings(of: app).isEmpty)
    }

    @Test func `a kernel that can't judge changes of files refuses them, and that is said`() {
        let old = Enforcement(landlock: 1, filtersCalls: true, judgesChanges: false, isRoot: false)
        #expect(old.sentence.contains("files' modes, owners and times by refusing every change"))
        #expect(old.sentence.contains("signals to other processes of the app's user"))
    }

    @Test func `what a kernel can't keep is the machine's lack, and names what would keep it`() throws {
        let old = Enforcement(landlock: 0, filtersCalls: false, isRoot: false)
        var app = App(identifier: try #require(AppIdentifier("org.example.app")), plugin: "/x.so")
        #expect(old.shortcomings(of: app).isEmpty)
        (app.limits.read, app.limits.network) = (.under(["/srv"]), false)
        let found = old.shortcomings(of: app)
        #expect(found.map(\.key) == [["limits"], ["limits", "network"]])
        #expect(found.allSatisfy { $0.isOfMachine && !$0.isError })
        #expect(found.first?.fix == old.fix)
        #expect(Enforcement(landlock: 7, filtersCalls: false, isRoot: false).fix == found.last?.fix)
        let young = Enforcement(landlock: 5, filtersCalls: true, isRoot: false)
        #expect(young.fix?.contains("Linux 6.12") == true)
        #expect(Enforcement(landlock: 7, filtersCalls: true, isRoot: false).fix == nil)
        app.user = "nobody-there"
        #expect(old.shortcomings(of: app).first?.isOfMachine == false)
    }

    @Test func `the state is hidden, unless the app may write above it`() {
        func hidden(
            _ write: AppLimits.Files = .under([]), account: UInt32? = nil, state: String = "/srv/state"
        )
            -> [String]
        {
            var limits = AppLimits()
            limits.write = write
            let confinement = Confinement(
                user: nil, account: account, limits: limits, plugin: "/usr/lib/x.so",
                stateFolder: state + "/apps/org.example.app", state: state)
            return confinement.places.filter { $0.access == .hidden }.map(\.path)
        }
        #expect(hidden() == ["/dev/pts", "/srv/state"])
        #expect(hidden(.under(["/srv/other"])) == ["/dev/pts", "/srv/state"])
        #expect(hidden(.under(["/srv"])) == ["/dev/pts"])
        #expect(hidden(state: "/tmp/state") == ["/dev/pts"])
        #expect(hidden(.all).isEmpty)
        #expect(hidden(account: 0x7000_0001).isEmpty)
    }

    /// Lets everybody pass through the bench's folder.
    private func opened(_ bench: WorkerBench) throws -> WorkerBench {
        try #require(chmod(bench.folder, 0o755) == 0)
        return bench
    }
}
