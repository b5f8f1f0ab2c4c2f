import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullControl

/// The limits of clients, with the real loop turned by hand.
struct ControlLimitsTests {
    private struct Heard: Equatable {
        let sentence: String?
        let hasEnded: Bool

        init(_ sentence: String?, _ hasEnded: Bool) { (self.sentence, self.hasEnded) = (sentence, hasEnded) }
    }

    private final class Bench {
        private let temporary: TemporaryFolder
        var folder: String { temporary.path }
        let loop: EventLoop
        private var serverStorage: ControlServer?
        private var turn: LoopChannel<Bool>?
        private var clients: [Int32] = []
        var unanswered: [PutQuestion] = []
        var imported: [Int] = []

        init(_ limits: ControlLimits = ControlLimits(), barring: @escaping (Int32) -> String? = { _ in nil })
            throws
        {
            temporary = try TemporaryFolder()
            loop = try EventLoop()
            turn = try LoopChannel<Bool>(on: loop) { [unowned self] _ in loop.stop() }
            let server = try ControlServer(stateFolder: temporary.path, loop: loop, barring: barring) {
                [unowned self] put in
                if put.question is Ask.Await { return unanswered.append(put) }
                if let question = put.question as? Ask.ImportEvents { imported.append(question.events.count) }
                put.say("well")
            }
            server.limits = limits
            serverStorage = server
        }

        deinit {
            for client in clients { close(client) }
            serverStorage = nil
        }

        func client() throws -> Int32 {
            let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            try #require(
                try ControlAddress.withAddress(ControlAddress.path(in: folder)) { connect(client, $0, $1) }
                    == 0)
            try #require(fcntl(client, F_SETFL, O_NONBLOCK) == 0)
            clients.append(client)
            turnLoop()
            return client
        }

        func turnLoop() {
            for _ in 0..<3 {
                turn?.send(true)
                loop.run()
            }
        }

        /// Sends as much as the host accepts; returns the number of bytes.
        @discardableResult
        func send(_ bytes: [UInt8], from client: Int32) -> Int {
            var rest = bytes[...]
            var refused = 0
            while !rest.isEmpty, refused < 3 {
                let count = rest.withUnsafeBytes {
                    Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                refused = count > 0 ? 0 : refused + 1
                rest = rest.dropFirst(max(0, count))
                turnLoop()
            }
            return bytes.count - rest.count
        }

        /// The sentence that came, if it was a refusal; and whether the connection has ended.
        func refusal(to client: Int32) throws -> Heard {
            turnLoop()
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            var last = 0
            repeat {
                last = recv(client, &chunk, chunk.count, 0)
                if last > 0 { bytes += chunk[..<last] }
            } while last > 0
            let hasEnded = last == 0 || errno != EAGAIN
            guard let body = try ControlFrame.take(from: &bytes) else { return Heard(nil, hasEnded) }
            return Heard(ControlFrame.refusal(in: body), hasEnded)
        }

        func ask(_ question: some Question, from client: Int32) throws {
            send(try ControlFrame.encode(question), from: client)
        }
    }

    private static func head(_ length: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    }

    private static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    @Test func `forty unfinished frames of 64 MiB cost the host a few MiB`() throws {
        let bench = try Bench()
        let before = Self.residentBytes
        let garbage = Self.head(60 << 20) + [UInt8](repeating: 32, count: 1 << 20)
        let mark = Self.head(60 << 20) + ControlFrame.importMark + [UInt8](repeating: 32, count: 1 << 20)
        for number in 0..<40 { bench.send(number % 2 == 0 ? garbage : mark, from: try bench.client()) }
        // The megabytes of the one import are on disk.
        #expect(Self.residentBytes - before < 24 << 20)
    }

    @Test func `only an import may be long, and says so at its beginning`() throws {
        let bench = try Bench()
        let client = try bench.client()
        bench.send(
            Self.head(1 << 20)
                + Array("{\"version\":2,\"question\":\"status\",\"content\":{                  }}".utf8),
            from: client)
        let said = try bench.refusal(to: client)
        #expect(
            said.sentence
                == ControlError.requestTooLong(1 << 20, limit: 2 * Limits.pushBytesMost + 1024).message)
        #expect(said.hasEnded)
    }

    @Test func `two long imports come one after the other, and both whole`() throws {
        let bench = try Bench()
        let app = try #require(AppIdentifier("com.example.App"))
        let events = (0..<5_000).map { HistoryEvent(.used, at: WallTime(seconds: Int64($0)), app: app) }
        let frame = try ControlFrame.encode(Ask.ImportEvents(events))
        #expect(frame.count > 256 << 10)
        #expect(Array(frame[4...].prefix(ControlFrame.importMark.count)) == ControlFrame.importMark)
        let (one, other) = (try bench.client(), try bench.client())
        bench.send(Array(frame[..<(200 << 10)]), from: one)
        let taken = bench.send(frame, from: other)
        #expect(taken < frame.count)
        bench.send(Array(frame[(200 << 10)...]), from: one)
        bench.send(Array(frame[taken...]), from: other)
        bench.turnLoop()
        #expect(bench.imported == [5_000, 5_000])
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/control.import"))
    }

    @Test func `a request that is not finished in time ends with a sentence`() throws {
        var limits = ControlLimits()
        limits.timeout = .zero
        let bench = try Bench(limits)
        let client = try bench.client()
        bench.send([9], from: client)
        var answer = try bench.refusal(to: client)
        // The timer rings while the loop waits.
        for _ in 0..<1000 where answer.sentence == nil { answer = try bench.refusal(to: client) }
        #expect(try #require(answer.sentence).hasPrefix("This request was not complete after"))
        #expect(answer.hasEnded)
    }

    @Test func `the longest-idle connection makes room, and one that awaits an answer never does`() throws {
        var limits = ControlLimits()
        limits.connections = 3
        let bench = try Bench(limits)
        let waiting = try bench.client()
        try bench.ask(Ask.Await(RunID(1)), from: waiting)
        let (oldest, younger) = (try bench.client(), try bench.client())
        let newest = try bench.client()
        let sentAway = try bench.refusal(to: oldest)
        #expect(sentAway.sentence?.contains("to make room for another") == true && sentAway.hasEnded)
        for client in [younger, newest] {
            try bench.ask(Ask.Status(), from: client)
            #expect(try bench.refusal(to: client) == Heard(nil, false))
        }
        for client in [younger, newest] { try bench.ask(Ask.Await(RunID(1)), from: client) }
        let shutOut = try bench.refusal(to: try bench.client())
        let said = try #require(shutOut.sentence)
        #expect(
            said.hasPrefix(
                "The host has 3 connections, each awaiting an answer, 3 of them from process \(getpid()) ("
            ),
            "\(said)")
        #expect(bench.unanswered.count == 3)
        for put in bench.unanswered { put.say("at last") }
        #expect(try bench.refusal(to: waiting) == Heard(nil, false))
    }

    @Test func `one process has no more than its share`() throws {
        var limits = ControlLimits()
        limits.ofOneProcess = 2
        let bench = try Bench(limits)
        for _ in 0..<2 { try bench.ask(Ask.Await(RunID(1)), from: try bench.client()) }
        let said = try #require(try bench.refusal(to: try bench.client()).sentence)
        #expect(said.hasPrefix("The host has 2 connections from process \(getpid()) ("), "\(said)")
        #expect(said.contains("the limit for one process"))
    }

    @Test func `who may not ask is told why, and asks nothing`() throws {
        let bench = try Bench(barring: { "Process \($0) may not." })
        let client = try bench.client()
        #expect(try bench.refusal(to: client) == Heard("Process \(getpid()) may not.", true))
    }

    @Test func `an answer that nobody reads makes way when there are too many`() throws {
        var limits = ControlLimits()
        limits.unread = 1
        let bench = try Bench(limits)
        func flood() throws -> Int32 {
            let client = try bench.client()
            let frame = try ControlFrame.encode(Ask.Status())
            // Until the socket is full of answers.
            let many = Array((0..<500).flatMap { _ in frame })
            while bench.send(many, from: client) == many.count {}
            return client
        }
        let (first, second) = (try flood(), try flood())
        #expect(try bench.refusal(to: first).hasEnded)
        #expect(try !bench.refusal(to: second).hasEnded)
    }
}

extension ControlFrame {
    /// The sentence of an answer that is a refusal.
    static func refusal(in body: Data) -> String? {
        do throws(ControlError) {
            _ = try answer(to: Ask.Reload.self, body)
            return nil
        } catch {
            if case .refused(let sentence) = error { return sentence }
            return nil
        }
    }
}
