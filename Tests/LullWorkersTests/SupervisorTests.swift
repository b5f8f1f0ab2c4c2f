import CLullShims
import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullWorkers

/// The processes that an app starts belong to it wherever they go: they count, stop and end with the worker.
struct SupervisorTests {
    /// The users of the app: that of the tests, and a separate one.
    static let users: [String?] = geteuid() == 0 && getpwnam("nobody") != nil ? [nil, "nobody"] : [nil]

    /// A worker of `Families` whose processes have a name that no other test uses.
    private final class Family {
        let bench: WorkerBench
        let app: AppIdentifier
        let name = "f" + UUID().uuidString.prefix(8)

        init(_ task: String, user: String? = nil, limits: AppLimits = AppLimits()) throws {
            bench = try WorkerBench()
            chmod(bench.folder, 0o777)
            try bench.pool.measureOften = .milliseconds(50)
            try bench.pool.measureRarely = .milliseconds(50)
            try bench.pool.cpuSpan = .milliseconds(400)
            var app = try bench.app(
                "good", plugin: bench.compile("Families"), tasks: [task],
                settings: .object(["name": .string(name)]))
            app.limits = limits
            app.user = user
            self.app = app.identifier
            try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
            try bench.launch(1, task, of: app.identifier)
        }

        /// The living processes of the family, found by their name.
        var members: [Int32] {
            var found: [Int32] = []
            ProcessTable.forEach { pid in
                let text = ProcessTable.contents(of: "/proc/\(pid)/comm", atMost: 64) ?? []
                let state = WorkerBench.state(of: pid)
                if text.elementsEqual((name + "\n").utf8), state != "Z", state != nil { found.append(pid) }
            }
            return found
        }

        func waitForMembers() throws {
            _ = try bench.waitForCompletion(of: 1)
            try bench.turn(until: "there is somebody") { !members.isEmpty }
        }

        func waitUntilGone() throws {
            try bench.turn(until: "all are gone") { members.isEmpty }
        }
    }

    @Test(arguments: users)
    func `a child in a session of its own is stopped with its worker, and goes on with it`(user: String?)
        throws
    {
        let family = try Family("quiet", user: user)
        try family.waitForMembers()
        let child = try #require(family.members.first)
        try family.bench.suspendAndWait(family.app)
        try family.bench.turn(until: "it is stopped") { WorkerBench.state(of: child) == "T" }
        try family.bench.pool.resume(family.app)
        try family.bench.turn(until: "it goes on") { WorkerBench.state(of: child) != "T" }
    }

    @Test func `a process that has lost its first thread is no zombie`() throws {
        let family = try Family("leaderless")
        _ = try family.bench.waitForCompletion(of: 1)
        let worker = try #require(try family.bench.pool.pid(of: family.app))
        let supervisor = try #require(ProcessTable.entry(of: worker)).parent
        var lost: ProcessTable.Entry?
        try family.bench.turn(until: "its first thread is gone") {
            lost = ProcessTable.descendants(of: supervisor).first(where: \.hasLostLeader)
            return lost != nil
        }
        let child = try #require(lost)
        #expect(!child.isZombie)
        #expect(EarlierHosts.isMarked(child.pid, ""))
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.pid)/task")
        let thread = try #require(threads.compactMap { Int32($0) }.first { $0 != child.pid })
        try family.bench.suspendAndWait(family.app)
        try family.bench.turn(until: "it is stopped") { WorkerBench.state(of: thread) == "T" }
        try family.bench.pool.resume(family.app)
        try family.bench.turn(until: "it goes on") { WorkerBench.state(of: thread) != "T" }
    }

    @Test func `what the app has stopped itself stays so`() throws {
        let family = try Family("quiet")
        try family.waitForMembers()
        let child = try #require(family.members.first)
        kill(child, SIGSTOP)
        try family.bench.turn(until: "it is stopped") { WorkerBench.state(of: child) == "T" }
        try family.bench.suspendAndWait(family.app)
        let worker = try #require(try family.bench.pool.pid(of: family.app))
        try family.bench.pool.resume(family.app)
        try family.bench.turn(until: "the worker goes on") { WorkerBench.state(of: worker) != "T" }
        #expect(WorkerBench.state(of: child) == "T")
    }

    @Test(arguments: users)
    func `memory of a child that outlives the run counts`(user: String?) throws {
        var limits = AppLimits()
        limits.memory = 64 << 20
        let family = try Family("memory", user: user, limits: limits)
        let sentence = try family.bench.waitForExit()
        let words =
            /killed by the host: it used ([\d.]+) MiB of memory, but may use 64 MiB \(`limits: { memory }`\)/
        let match = try #require(sentence.wholeMatch(of: words), "\(sentence)")
        // The pool measures it while it grows.
        #expect((64...200).contains(Double(match.1) ?? 0))
        try family.waitUntilGone()
    }

    @Test(arguments: users)
    func `the processor's time of a child that outlives the run counts`(user: String?) throws {
        var limits = AppLimits()
        limits.cpu = 0.1
        let family = try Family("time", user: user, limits: limits)
        let sentence = try family.bench.waitForExit()
        #expect(sentence.hasSuffix(" but may use 10 % (`limits: { cpu }`)"), "\(sentence)")
        try family.waitUntilGone()
    }

    @Test(arguments: ["zombies", "threads"])
    func `zombies and threads count as processes`(task: String) throws {
        var limits = AppLimits()
        limits.processes = 20
        let family = try Family(task, limits: limits)
        let sentence = try family.bench.waitForExit()
        let words =
            /killed by the host: it had (\d+) processes, but may have 20 \(`limits: \{ processes \}`\)/
        let count = try #require(sentence.wholeMatch(of: words).flatMap { Int($0.1) }, "\(sentence)")
        #expect((21...48).contains(count))
    }

    @Test(arguments: users)
    func `who hops from process to process leaves no zombie, and is ended with its worker`(user: String?)
        throws
    {
        let family = try Family("hopper", user: user)
        try family.waitForMembers()
        let worker = try #require(try family.bench.pool.pid(of: family.app))
        let supervisor = try #require(ProcessTable.entry(of: worker)?.parent)
        // The first parent is the worker's to reap; of all others some of the latest have just ended.
        try family.bench.turn(until: "it has hopped a hundred times") {
            (ProcessTable.entry(of: supervisor)?.started ?? 0) > 0
                && family.members.contains { $0 > worker + 100 || $0 < worker }
        }
        try family.bench.turn(until: "its supervisor has reaped the hundred") {
            ProcessTable.descendants(of: supervisor).count { $0.isZombie } < 10
        }
        let kept = ProcessTable.descendants(of: supervisor)
        #expect(kept.allSatisfy { $0.parent != getpid() })
        try family.bench.pool.kill(family.app, reason: "the test is over")
        _ = try family.bench.waitForExit()
        try family.waitUntilGone()
    }

    @Test(arguments: users)
    func `a daemon that nobody may look into is ended with its worker`(user: String?) throws {
        let family = try Family("hidden", user: user)
        try family.waitForMembers()
        try family.bench.pool.evict(family.app)
        #expect(try family.bench.waitForExit() == "evicted by the host")
        #expect(family.members.isEmpty)
    }

    @Test func `who multiplies without end is ended with the figure, and its neighbour's run succeeds`()
        throws
    {
        var limits = AppLimits()
        limits.processes = 50
        let family = try Family("bomb", limits: limits)
        let neighbour = try family.bench.start("Good", as: "neighbour")
        try family.bench.launch(2, "now", of: neighbour)
        var sentence: String?
        var hasSucceeded = false
        try family.bench.wait(for: "the end and the neighbour's run") { event in
            if case .exited(let words, _) = event { sentence = words }
            if case .completed(RunID(2), let success, _) = event { hasSucceeded = success }
            return sentence != nil && hasSucceeded ? true : nil
        }
        let words = /killed by the host: it had \d+ processes, but may have 50 \(`limits: \{ processes \}`\)/
        #expect(sentence?.wholeMatch(of: words) != nil, "\(sentence ?? "")")
        try family.waitUntilGone()
    }

    /// The kernel counts all of that user's processes, so none goes beyond the limit.
    @Test(.enabled(if: users.count > 1, "needs root and the user nobody"))
    func `who multiplies as a user of its own meets the kernel's limit, and ends whole`() throws {
        var limits = AppLimits()
        limits.processes = 50
        let family = try Family("bomb", user: "nobody", limits: limits)
        let neighbour = try family.bench.start("Good", as: "neighbour")
        try family.bench.launch(2, "now", of: neighbour)
        #expect(try family.bench.waitForCompletion(of: 2))
        try family.bench.turn(until: "it has multiplied") { family.members.count > 1 }
        #expect(family.members.count <= 50)
        try family.bench.pool.kill(family.app, reason: "the test is over")
        #expect(try family.bench.waitForExit() == "killed by the host: the test is over")
        try family.waitUntilGone()
    }

    /// What it kept is its own child, or one of a worker that lives on.
    @Test(arguments: ["hidden", "outlives"], users)
    func `when somebody ends the supervisor, the host ends what it kept and says so`(
        child: String, user: String?
    ) throws {
        let family = try Family(child, user: user)
        try family.waitForMembers()
        let worker = try #require(try family.bench.pool.pid(of: family.app))
        let supervisor = try #require(ProcessTable.entry(of: worker)?.parent)
        #expect(supervisor != getpid())
        kill(supervisor, SIGKILL)
        let sentence = "its supervisor was ended by signal 9 (SIGKILL), and the host killed its processes"
        try family.bench.wait(for: "its end") {
            $0 == .exited(sentence: sentence, isLost: true) ? true : nil
        }
        try family.waitUntilGone()
    }

    @Test func `a stop of the supervisor keeps nobody from ending the worker`() throws {
        let family = try Family("hidden")
        try family.waitForMembers()
        let worker = try #require(try family.bench.pool.pid(of: family.app))
        let supervisor = try #require(ProcessTable.entry(of: worker)?.parent)
        kill(supervisor, SIGSTOP)
        try family.bench.turn(until: "it is stopped") { WorkerBench.state(of: supervisor) == "T" }
        try family.bench.pool.kill(family.app, reason: "the test is over")
        #expect(try family.bench.waitForExit() == "killed by the host: the test is over")
        #expect(family.members.isEmpty)
    }

    @Test(arguments: users)
    func `when its time is up the supervisor ends all by itself, and says that it was so`(user: String?)
        throws
    {
        let family = try Family("hidden", user: user)
        try family.waitForMembers()
        let worker = WorkerID(app: family.app, number: 1)
        // A deadline that is put off or withdrawn ends no process.
        for end in [Self.sinceBoot + .hours(1), nil, Self.sinceBoot + .hours(1)] {
            try family.bench.pool.keep(worker, until: end)
        }
        try family.bench.launch(2, "hidden", of: family.app)
        #expect(try family.bench.waitForCompletion(of: 2))
        try family.bench.pool.keep(worker, until: Self.sinceBoot)
        try family.bench.wait(for: "the supervisor") { $0 == .overdue ? true : nil }
        #expect(family.members.isEmpty)
        #expect(try family.bench.waitForExit() == "ended by signal 9 (SIGKILL)")
    }

    private static var sinceBoot: Duration { .nanoseconds(Clock.monotonic.nanoseconds) + Clock.asleep }

    @Test func `what an earlier host of the same state has left is known by its mark, and no other is`()
        throws
    {
        let bench = try WorkerBench()
        let mark = EarlierHosts.mark(of: bench.folder)
        #expect(
            mark != EarlierHosts.mark(of: "/") && EarlierHosts.mark(of: bench.folder + "/nowhere").isEmpty)
        let app = try bench.start("Good")
        _ = try bench.waitForReady()
        let worker = try #require(try bench.pool.pid(of: app))
        #expect(EarlierHosts.isMarked(worker, mark))
        #expect(!EarlierHosts.isMarked(worker, mark + "1"))
        // The process is younger than this one, so it belongs to this host.
        #expect(EarlierHosts.end(mark: mark) == 0)
        #expect(WorkerBench.state(of: worker) != nil)
        #expect(EarlierHosts.end(mark: mark, before: .max) >= 1)
        _ = try bench.waitForExit()
    }
}
