import Foundation
import LullModel
import LullSystem
import LullWire
import TestSupport
import Testing

@testable import LullWorkers

/// The parts of a pool that need no worker.
struct PartsTests {
    @Test func `the last line is the plugin's own, not that of a backtrace`() {
        var line = LastLine()
        #expect(line.text == nil)
        line.append(Array("one\ntw".utf8), .output)
        #expect(line.text == "tw")
        line.append(Array("o\n \n".utf8), .output)
        #expect(line.text == "two")
        line.append(Array("hal".utf8), .output)
        #expect(line.text == "hal")
        line.append(Array("Fatal error: three\nswift-runtime: a thread is missing\n\n*** ".utf8), .error)
        line.append(Array("Signal 4: Backtracing from 0x7f\nThread 0\n".utf8), .error)
        line.append(Array("more\n".utf8), .output)
        #expect(line.text == "Fatal error: three")
    }

    @Test func `of a long last line the beginning is quoted`() {
        var line = LastLine()
        for _ in 0..<8 { line.append([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16), .error) }
        #expect(line.text == String(repeating: "x", count: 200) + "…")
    }

    @Test func `of what a plugin prints in its start the first bytes are kept`() {
        var output = StartOutput()
        output.append(Array("one\n\ntwo\n".utf8))
        #expect(output.lines == ["one", "two"])
        output.append([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
        #expect(output.lines.reduce(0) { $0 + $1.utf8.count } < 8 << 10)
    }

    @Test(
        arguments: [
            (11, "ended by signal 11 (SIGSEGV)"), (4, "ended by signal 4 (SIGILL)"),
            (40, "ended by signal 40"),
            (3 << 8, "exited on its own with status 3"), (0, "exited on its own with status 0"),
            (79 << 8, "ended because it closed its socket to the host"),
        ] as [(Int32, String)])
    func `an ending is a sentence`(status: Int32, sentence: String) {
        #expect(Ending(waitStatus: status).sentence == sentence)
    }

    @Test(
        arguments: [
            ("1: POSIX  ADVISORY  WRITE 1234 08:01:5678 0 EOF", 1234),
            ("12: FLOCK  ADVISORY  READ 77 00:1b:9 0 EOF", 77),
            ("3: OFDLCK ADVISORY  WRITE -1 08:01:5678 0 0", -1),
            ("1: -> POSIX  ADVISORY  WRITE 1235 08:01:5678 0 EOF", nil),
            ("", nil), ("1: POSIX", nil), ("1: POSIX ADVISORY WRITE x 0 0", nil),
        ] as [(String, Int32?)])
    func `a lock is its holder's, and who waits holds none`(line: String, holder: Int32?) {
        #expect(FileLocks.owner(of: line.utf8) == holder)
    }

    @Test func `this process is in the table, whatever its name`() throws {
        let own = try #require(ProcessTable.entry(of: getpid()))
        #expect(
            own.parent == getppid() && own.group == getpgrp() && own.session == getsid(0) && !own.isZombie)
        #expect(own.threads >= 1 && own.started > 0)
        var seen: Set<Int32> = []
        ProcessTable.forEach { seen.insert($0) }
        // `forEach` leaves out PID 1.
        #expect(seen.contains(own.pid) || own.pid == 1)
        #expect(ProcessTable.entry(of: -5) == nil)
    }

    @Test func `a flood is paused for the rest of its span, and a steady stream never`() {
        var clock = MonotonicTime(nanoseconds: 5_000_000_000)
        var traffic = Traffic()
        #expect(traffic.spend(Traffic.bytesInSpan, now: { clock }) == nil)
        #expect(traffic.spend(1, now: { clock }) == nil)
        clock = clock + .milliseconds(10)
        #expect(
            traffic.spend(Traffic.bytesInSpan + 1, now: { clock })
                == MonotonicTime(nanoseconds: 5_100_000_000))
        var steady = Traffic()
        for _ in 0..<100 {
            #expect(steady.spend(Traffic.bytesInSpan + 1, now: { clock }) == nil)
            clock = clock + Traffic.span
        }
    }

    @Test func `the settings of an app carry what is permitted to it`() throws {
        let identifier = try #require(AppIdentifier("org.example.feed"))
        var app = App(identifier: identifier, plugin: "/feed.so")
        app.settings = .object(["feed": .string("x")])
        for (name, nice) in [("b", 5), ("a", 3)] {
            var task = TaskDefinition(
                identifier: try #require(TaskIdentifier(name, of: identifier)), app: identifier,
                kind: .refresh)
            task.nice = nice
            app.tasks.append(task)
        }
        let spec = WorkerSpec(app: app, stateFolder: "/state")
        #expect(
            spec.settings == #"{"feed":"x","lull":{"permitted":["org.example.feed.b","org.example.feed.a"]}}"#
        )
        #expect(spec.nice == 3)
        #expect(spec.fault == nil)
        app.tasks[0].settings = .string(String(repeating: "x", count: Limits.settingsBytes))
        #expect(
            WorkerSpec(app: app, stateFolder: "/state").fault?.hasPrefix("The settings of org.example.feed.b")
                == true)
    }

    @Test func `a request of the wire is read for what it asks`() throws {
        let wish = WireRequest(
            kind: .processing, identifier: "a.b", earliestBegin: 1_000_001, requirements: 0xFF)
        let request = try #require(PluginRequest(wish))
        #expect(request.earliestBegin == WallTime(milliseconds: 2))
        #expect(request.requires == Requirements(network: .any, externalPower: true))
        #expect(
            PluginRequest(WireRequest(kind: .refresh, identifier: "a.b", requirements: 3))?.requires
                == Requirements.none)
        #expect(PluginRequest(WireRequest(kind: .refresh, identifier: "nothing")) == nil)
        #expect(
            PluginRequest(WireRequest(kind: .refresh, identifier: "a.b", earliestBegin: .max))?.earliestBegin
                != nil)
        #expect(
            PluginRequest(WireRequest(kind: .refresh, identifier: "a.b", earliestBegin: .min))?.earliestBegin
                != nil)
    }

    @Test func `a worker whose host is gone ends, and takes its group along`() throws {
        let loop = try EventLoop()
        let process = try WorkerProcess.spawn(WorkerBench.worker)
        try loop.watch(process.pidfd, .readable) { _ in loop.stop() }
        loop.onAlarm = { loop.stop() }
        loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
        for descriptor in [process.socket, process.output, process.error] { close(descriptor) }
        loop.run()
        #expect(process.ending?.worker == .signal(SIGKILL))
        process.bury()
    }
}
