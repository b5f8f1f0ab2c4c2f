import Foundation
import Glibc
import LullControl
import LullHistory
import LullModel
import TestSupport
import Testing

/// A host runs out of something, or gets signals in its calls: it writes a sentence, does not crash, and goes on once the cause
/// is over.
@Suite(.serialized) struct ShortageTests {
    @Test(.enabled(if: Namespace.isPermitted, "needs the right to mount"))
    func `on a full disk a host says so, launches nothing, and goes on when there is room`() throws {
        let workshop = try Workshop()
        try workshop.compile("Busy")
        try FileManager.default.createDirectory(atPath: workshop.state, withIntermediateDirectories: true)
        let host = try workshop.start(
            ["run", "jobs.yaml"], through: Namespace.tmpfs(on: workshop.state, options: "size=3m"))
        let state = Namespace.path(workshop.state, of: host)
        var acknowledged: Set<Int64> = []
        func use(_ number: Int64) -> Bool {
            guard let client = try? ControlClient(stateFolder: state, timeout: .seconds(1)),
                (try? client.ask(Ask.Used(Workshop.apps[0], at: WallTime(milliseconds: number)))) != nil
            else { return false }
            acknowledged.insert(number)
            return true
        }
        var time: Int64 = Workshop.past
        func tries() -> Bool {
            time += 1
            return use(time)
        }
        try #require(Workshop.waits { tries() }, "\(workshop.lastWords)")
        fill(state + "/filler")
        try #require(Workshop.waits { !tries() }, "it never runs full")
        try #require(Workshop.waits { workshop.words.contains("the disk is full") }, "\(workshop.lastWords)")
        #expect(workshop.words.contains("Free some space"))
        #expect(host.isRunning)
        try FileManager.default.removeItem(atPath: state + "/filler")
        try #require(Workshop.waits { tries() }, "\(workshop.lastWords)")
        #expect(workshop.words.contains("The history records events again."))
        // SQLite follows links, so it would not find the path into the namespace.
        let copy = workshop.folder + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        kill(host.processIdentifier, SIGSTOP)
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: state + "/history.sqlite" + suffix))
            try bytes.write(to: URL(fileURLWithPath: copy + "/history.sqlite" + suffix))
        }
        kill(host.processIdentifier, SIGCONT)
        let history = try SQLiteHistory.open(folder: copy, mode: .readWrite)
        var account = Account()
        try account.read(history)
        #expect(account.faults.isEmpty)
        #expect(Set(account.uses.map(\.time.milliseconds)).isSuperset(of: acknowledged))
        host.terminate()
        host.waitUntilExit()
        #expect(host.terminationStatus == 0, "\(workshop.lastWords)")
    }

    @Test(.enabled(if: Namespace.isPermitted, "needs the right to mount"))
    func `a host on a disk that may only be read says so and ends`() throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        try FileManager.default.createDirectory(atPath: workshop.state, withIntermediateDirectories: true)
        let host = try workshop.start(
            ["run", "jobs.yaml"], through: Namespace.tmpfs(on: workshop.state, options: "ro"))
        host.waitUntilExit()
        #expect(host.terminationReason == .exit)
        #expect(host.terminationStatus == 1)
        #expect(workshop.words.contains("Read-only file system"), "\(workshop.lastWords)")
        #expect(workshop.words.contains("Check the folder"), "\(workshop.lastWords)")
    }

    @Test(arguments: [4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 34, 40])
    func `with few descriptors a host runs, or ends with a sentence`(limit: Int) throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try workshop.start(
            ["run", "jobs.yaml"], through: ["prlimit", "--nofile=\(limit):\(limit)"])
        let isServing = Workshop.waits {
            guard host.isRunning else { return true }
            guard let client = try? ControlClient(stateFolder: workshop.state),
                (try? client.ask(Ask.Used(Workshop.apps[0], at: nil))) != nil
            else { return workshop.words.contains(/open files.*\n/) }
            return true
        }
        #expect(isServing, "\(limit): \(workshop.lastWords)")
        // A host that has just named its shortage may be about to exit, before or after it handles signals.
        let isTold = host.isRunning
        if isTold { host.terminate() }
        host.waitUntilExit()
        let isOurs = isTold && host.terminationReason == .uncaughtSignal && host.terminationStatus == SIGTERM
        #expect(isOurs || host.terminationReason == .exit, "\(limit): \(workshop.lastWords)")
        if host.terminationStatus != 0 { #expect(!workshop.words.isEmpty) }
        // With fewer than a dozen descriptors the loader itself may be the one that fails.
        if (12..<32).contains(limit) {
            #expect(workshop.words.contains("a host needs at least 32"), "\(limit): \(workshop.lastWords)")
        }
    }

    @Test
    func
        `a host whose descriptors are used up by clients neither spins nor keeps them waiting, and recovers`()
        throws
    {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try workshop.start(["run", "jobs.yaml"], through: ["prlimit", "--nofile=48:48"])
        func isServed() -> Bool {
            guard let client = try? ControlClient(stateFolder: workshop.state, timeout: .seconds(5)),
                (try? client.ask(Ask.Used(Workshop.apps[0], at: nil))) != nil
            else { return false }
            return true
        }
        try #require(Workshop.waits { isServed() }, "\(workshop.lastWords)")
        let crowd = (0..<90).map { _ in Crowd.connect(workshop.state + "/control.sock") }
        #expect(!isServed())
        let before = Crowd.processorTime(of: host.processIdentifier)
        let pause = DispatchSemaphore(value: 0)
        _ = pause.wait(timeout: .now() + .milliseconds(500))
        let spent = Crowd.processorTime(of: host.processIdentifier) - before
        #expect(spent < 20, "\(spent) hundredths of a second in half a second")
        for descriptor in crowd where descriptor >= 0 { close(descriptor) }
        #expect(Workshop.waits { isServed() }, "\(workshop.lastWords)")
        host.terminate()
        host.waitUntilExit()
        #expect(host.terminationStatus == 0, "\(workshop.lastWords)")
    }

    @Test func `a host whose files may not grow says so and ends when it is told to`() throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try workshop.start(["run", "jobs.yaml"], through: ["prlimit", "--fsize=400000"])
        var number: Int64 = Workshop.past
        let isSaid = Workshop.waits {
            for _ in 0..<50 {
                number += 1
                guard let client = try? ControlClient(stateFolder: workshop.state, timeout: .seconds(1)),
                    (try? client.ask(Ask.Used(Workshop.apps[0], at: WallTime(milliseconds: number)))) != nil
                else { break }
            }
            return !host.isRunning || workshop.words.contains("LimitFSIZE")
        }
        #expect(isSaid && host.isRunning, "\(workshop.lastWords)")
        for signal in [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO] {
            kill(host.processIdentifier, signal)
        }
        let client = try ControlClient(stateFolder: workshop.state)
        guard (try? client.ask(Ask.Status())) != nil else {
            Issue.record("it answers no status: \(workshop.lastWords)")
            return
        }
        host.terminate()
        host.waitUntilExit()
        #expect(host.terminationReason == .exit, "\(workshop.lastWords)")
    }

    @Test func `signals in the midst of its calls cost a host nothing`() throws {
        let workshop = try Workshop()
        try workshop.compile("Busy")
        let host = try workshop.start(["run", "jobs.yaml"])
        let notes = Notes()
        let load = Load(workshop, notes)
        load.begin(seed: 7, useTimes: Workshop.past..<(Workshop.past + 900_000))
        try #require(
            load.begun.wait(timeout: .now() + .seconds(Int(hangLimit / .seconds(1)))) == .success,
            "\(workshop.lastWords)")
        var random = SeededGenerator(seed: 7)
        let pause = DispatchSemaphore(value: 0)
        // On a slow machine more rounds, until the host has acknowledged enough.
        let end = ContinuousClock.now + hangLimit
        var rounds = 0
        while rounds < 400 || notes.all.requests.count <= 10, ContinuousClock.now < end {
            rounds += 1
            let signals = [[SIGSTOP, SIGCONT], [SIGCHLD], [SIGWINCH], [SIGURG], [SIGHUP]]
            for signal in signals.randomElement(using: &random) ?? [] { kill(host.processIdentifier, signal) }
            _ = pause.wait(timeout: .now() + .microseconds(Int.random(in: 0...3000, using: &random)))
        }
        host.terminate()
        host.waitUntilExit()
        load.end()
        #expect(host.terminationReason == .exit)
        #expect(host.terminationStatus == 0, "\(workshop.lastWords)")
        var account = Account()
        try account.read(try SQLiteHistory.open(folder: workshop.state, mode: .readOnly))
        let noted = notes.all
        #expect(noted.requests.count > 10)
        #expect(noted.requests.allSatisfy { account.submitted[$0.key]?.text == $0.value })
        #expect(noted.uses.isSubset(of: account.uses))
        #expect(account.faults.isEmpty)
        #expect(account.open.isEmpty)
    }

    private func fill(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        for size in [64 << 10, 4096, 512, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(file, bytes, size) > 0 {}
        }
        close(file)
    }
}

/// Clients that connect and say nothing.
enum Crowd {
    static func connect(_ path: String) -> Int32 {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return descriptor
    }

    /// Processor time in hundredths of a second.
    static func processorTime(of pid: Int32) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return 0 }
        return user + system
    }
}
