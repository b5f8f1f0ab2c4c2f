import Glibc
import LullControl
import LullHistory
import LullModel
import LullSystem
import Testing

@testable import LullHost

/// Who acts through the control socket: looked up beside the loop, and recorded.
struct AskerTests {
    @Test func `an act is recorded with the name of who asks, which is remembered for a minute`() throws {
        let desk = try HostDesk()
        let host = desk.host
        let asker = Asker.ofThisProcess()
        let name = asker.name(in: host.configuration.state)
        var said: [Result<OrderAnswer, ControlRefusal>] = []
        // The first comes before the host has begun.
        host.hear(by: asker) {
            $0.answer(Ask.Pause(.all, until: nil, reason: "new disk")) { said.append($0) }
        }
        #expect(said.isEmpty)
        host.start()
        host.hear(by: asker) { handler in
            handler.answer(Ask.Resume(.all)) { answer in
                said.append(answer)
                host.loop.stop()
            }
        }
        #expect(try desk.turns())
        #expect(said.count == 2)
        let events = try SQLiteHistory.open(folder: desk.folder, mode: .readOnly)
            .events(matching: HistoryQuery(names: [.paused, .resumed]))
        #expect(events.map(\.by) == [name, name] && events.map(\.reason) == ["new disk", nil])
        #expect(host.askers.name(of: asker, at: Clock.monotonic) == name)
    }

    @Test func `a name is forgotten after a minute, and a token's is never kept`() {
        var names = AskerNames()
        let now = MonotonicTime(nanoseconds: 0)
        let (user, bearer) = (Asker.ofThisProcess(), Asker.ofThisProcess(Bearer(token: "x")))
        names.note("anna", of: user, at: now)
        names.note("token phone", of: bearer, at: now)
        #expect(names.name(of: user, at: now + .seconds(59)) == "anna")
        #expect(names.name(of: user, at: now + .seconds(60)) == nil)
        #expect(names.name(of: bearer, at: now) == nil)
    }

    @Test func `a reload is recorded with the name of who asks, and with what came of it`() throws {
        let desk = try HostDesk()
        let host = desk.host
        host.start()
        var said: String?
        RunningHandler(host: host, by: "anna").answer(Ask.Reload()) { answer in
            said = answer.failure?.sentence
            host.commits.add(nil) { host.loop.stop() }
        }
        #expect(try desk.turns())
        let event = try SQLiteHistory.open(folder: desk.folder, mode: .readOnly)
            .events(matching: HistoryQuery(names: [.reloaded])).first
        // There is no manifest on the desk.
        #expect(event?.by == "anna" && event?.app == .host)
        #expect(said != nil && event?.reason == said)
    }
}

extension Result where Failure == ControlRefusal {
    fileprivate var failure: ControlRefusal? { if case .failure(let refusal) = self { refusal } else { nil } }
}
