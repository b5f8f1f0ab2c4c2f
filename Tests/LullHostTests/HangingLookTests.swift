import Foundation
import LullHistory
import LullModel
import LullScheduler
import LullSystem
import Synchronization
import Testing

@testable import LullHost
@testable import LullManifest

/// A name service or a disk does not answer: the loop goes on, and requests that need it fail with a sentence.
///
/// The gate stays closed until all expected events have happened, so they happen while the look hangs.
struct HangingLookTests {
    /// Blocks its callers until it is opened.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let count = Mutex(0)

        var asked: Int { count.withLock(\.self) }

        func wait() {
            count.withLock { $0 += 1 }
            semaphore.wait()
            semaphore.signal()
        }

        func open() { semaphore.signal() }
    }

    private static func app(user: String? = nil) throws -> App {
        var app = App(identifier: try #require(AppIdentifier("com.example.App")), plugin: "/plugin.so")
        app.user = user
        return app
    }

    @Test func `blocking work that hangs is late, and keeps no other from being run`() throws {
        let gate = Gate()
        defer { gate.open() }
        let loop = try EventLoop()
        let blocking = try BlockingExecutor(on: loop)
        var heard: [String] = []
        func note(_ text: String) {
            heard.append(text)
            if heard.count == 2 { loop.stop() }
        }
        blocking.run(within: .milliseconds(1)) {
            gate.wait()
        } then: {
            note($0 == nil ? "late" : "early")
        }
        blocking.run(within: .seconds(600)) {
            7
        } then: {
            note("\($0 ?? 0)")
        }
        loop.run()
        #expect(Set(heard) == ["late", "7"])
    }

    @Test func `with all threads out the next work waits, and what comes too late is nobody's`() throws {
        let gate = Gate()
        let loop = try EventLoop()
        let blocking = try BlockingExecutor(on: loop, most: 1)
        var heard: [String] = []
        blocking.run(within: .milliseconds(1)) {
            gate.wait()
        } then: { answer in
            heard.append(answer == nil ? "late" : "early")
            gate.open()
        }
        blocking.run(within: .seconds(600)) {
            7
        } then: {
            heard.append("\($0 ?? 0)")
            loop.stop()
        }
        #expect(blocking.threads == 1)
        loop.run()
        #expect(heard == ["late", "7"])
        #expect(blocking.threads == 0)
    }

    @Test func `a start whose user nobody can look up fails with a sentence, and the loop goes on`() throws {
        let gate = Gate()
        defer { gate.open() }
        let desk = try HostDesk {
            $0.lookWait = .milliseconds(1)
            $0.lookAtStart = { _, _ in
                gate.wait()
                return StartSight(plugin: .failure(PluginSight.Refusal(sentence: "It is there.")))
            }
        }
        let host = desk.host
        let app = try Self.app(user: "ghost")
        host.manifest = Manifest(apps: [app])
        var served = 0
        var failure: HistoryEvent?
        host.onEvents = { (events: [HistoryEvent]) in
            guard let event = events.first(where: { $0.event == .failed }) else { return }
            failure = event
            host.blocking.run(within: .seconds(600)) {
                1
            } then: {
                served += $0 ?? 0
                host.loop.stop()
            }
        }
        host.handle(.manifestLoaded(host.manifest, stamps: [:]))
        #expect(try desk.turns())
        #expect(served == 1)
        #expect(failure?.outcome == .crashed)
        #expect(
            failure?.reason
                == "its user 'ghost' and its plugin could not be looked up within 0 s: a name service or a disk of this machine does not answer. "
                + "Check that `getent passwd ghost` and `ls -l /plugin.so` do")
        // The fault is the machine's, not the plugin's, so the host tries again without a change.
        #expect(host.scheduler.ledger.apps[app.identifier]?.trouble == nil)
    }

    @Test func `a host ends while a look hangs`() throws {
        let gate = Gate()
        defer { gate.open() }
        let desk = try HostDesk {
            $0.lookAtStart = { _, _ in
                gate.wait()
                return StartSight(plugin: .failure(PluginSight.Refusal(sentence: "It is there.")))
            }
        }
        let host = desk.host
        host.manifest = Manifest(apps: [try Self.app()])
        host.handle(.manifestLoaded(host.manifest, stamps: [:]))
        host.commits.add(nil) {
            #expect(!host.starts.isEmpty)
            host.handle(.shutdown)
        }
        #expect(try host.isFinished || desk.turns())
        #expect(host.isFinished)
        #expect(host.starts.isEmpty)
    }

    @Test func `a manifest that can't be read leaves the old one in force, and says why`() throws {
        let gate = Gate()
        defer { gate.open() }
        let desk = try HostDesk {
            $0.readWait = .milliseconds(1)
            $0.readManifest = { _, _, _ in
                gate.wait()
                return ManifestResult(manifest: Manifest(), diagnostics: [])
            }
        }
        let host = desk.host
        host.manifest = Manifest(apps: [try Self.app()])
        var told: String?
        host.reload {
            told = $0
            host.loop.stop()
        }
        #expect(try desk.turns())
        #expect(
            told
                == "\(desk.folder)/jobs.yaml, or the permissions of it and its plugins, could not be read within 0 s, because a "
                + "name service or a disk of this machine does not answer; the previous manifest stays in force. "
                + "Lull tries again by itself; make sure that `lull check` answers.")
        #expect(host.manifestTrouble == told)
        #expect(host.manifest.apps.count == 1)
    }

    @Test func `who asks while a manifest is read is answered by the reading after it, all at once`() throws {
        let gate = Gate()
        let desk = try HostDesk {
            $0.readManifest = { _, _, _ in
                gate.wait()
                return ManifestResult(manifest: Manifest(), diagnostics: [])
            }
        }
        let host = desk.host
        host.manifest = Manifest(apps: [try Self.app()])
        var answers: [Int] = []
        for number in 1...3 {
            host.reload { _ in
                answers.append(number)
                if answers.count == 3 { host.loop.stop() }
            }
        }
        gate.open()
        #expect(try desk.turns())
        #expect(answers == [1, 2, 3])
        #expect(gate.asked == 2)
        #expect(host.manifest.apps.isEmpty)
        #expect(host.manifestTrouble == nil)
    }
}
