import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullControl

/// A client that sends requests without waiting for the answers.
struct ControlConnectionTests {
    /// A connection on a loop that is turned by hand, and the client's end of it.
    final class Bench {
        let loop: EventLoop
        private(set) var client: Int32
        var asked = 0
        var unanswered: [PutQuestion] = []
        var hasEnded = false
        private var connection: ControlConnection?
        private var turn: LoopChannel<Bool>?

        init() throws {
            loop = try EventLoop()
            var sockets: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &sockets) == 0)
            client = sockets[1]
            turn = try LoopChannel<Bool>(on: loop) { [unowned self] _ in loop.stop() }
            var surroundings = ControlConnection.Surroundings()
            surroundings.ended = { [unowned self] _ in hasEnded = true }
            let connection = ControlConnection(
                descriptor: sockets[0], loop: loop, surroundings,
                handler: { [unowned self] put in
                    asked += 1
                    if put.question is Ask.Await { unanswered.append(put) } else { put.say("well") }
                })
            try #require(connection.begin())
            self.connection = connection
        }

        deinit { leave() }

        func leave() {
            if client >= 0 { close(client) }
            client = -1
        }

        func turnLoop() {
            turn?.send(true)
            loop.run()
        }

        /// The number of whole frames that the other side accepts before it stops.
        func flood(_ question: some Question, atMost limit: Int) throws -> Int {
            let frame = try ControlFrame.encode(question)
            var count = 0
            var refused = 0
            var rest = frame[...]
            while count < limit, refused < 3 {
                let sent = rest.withUnsafeBytes {
                    send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                rest = rest.dropFirst(max(sent, 0))
                if rest.isEmpty {
                    rest = frame[...]
                    count += 1
                }
                refused = sent > 0 ? 0 : refused + 1
                if sent <= 0 { turnLoop() }
            }
            return count
        }

        func answers() throws -> Int {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            var silence = 0
            while silence < 3 {
                let count = recv(client, &chunk, chunk.count, 0)
                if count > 0 { bytes += chunk[..<count] }
                silence = count > 0 ? 0 : silence + 1
                turnLoop()
            }
            var answers = 0
            while try ControlFrame.take(from: &bytes) != nil { answers += 1 }
            #expect(bytes.isEmpty)
            return answers
        }
    }

    @Test
    func `what a client writes ahead of an answer costs the host next to nothing, and is answered later`()
        throws
    {
        let bench = try Bench()
        #expect(try bench.flood(Ask.Await(RunID(1)), atMost: 1) == 1)
        // 4 MB of requests, of which the host accepts little more than the socket holds.
        let count = try bench.flood(Ask.Status(), atMost: 100_000)
        #expect(count < 20_000)
        #expect(bench.asked == 1)
        let put = try #require(bench.unanswered.first)
        // They are answered one after another: thousands of nested answers would overflow the stack.
        put.say("at last")
        #expect(try bench.answers() == count + 1)
        #expect(bench.asked == count + 1)
        #expect(!bench.hasEnded)
    }

    @Test func `a question that the host loses is refused, and the next one is answered`() throws {
        let bench = try Bench()
        #expect(try bench.flood(Ask.Await(RunID(1)), atMost: 1) == 1)
        #expect(try bench.answers() == 0)
        bench.unanswered = []
        #expect(try bench.answers() == 1)
        #expect(try bench.flood(Ask.Status(), atMost: 1) == 1)
        #expect(try bench.answers() == 1)
    }

    @Test func `a client that does not read its answers is not served on`() throws {
        let bench = try Bench()
        let count = try bench.flood(Ask.Status(), atMost: 1_000_000)
        #expect(count < 100_000)
        #expect(bench.asked < count)
        #expect(try bench.answers() == count)
    }

    @Test func `a client that goes away while much is unanswered is let go`() throws {
        let bench = try Bench()
        _ = try bench.flood(Ask.Await(RunID(1)), atMost: 1)
        _ = try bench.flood(Ask.Status(), atMost: 100_000)
        bench.leave()
        for _ in 0..<4 { bench.turnLoop() }
        #expect(bench.hasEnded)
    }
}

extension PutQuestion {
    func say(_ sentence: String) { back.answer(Result.success(OrderAnswer(sentence))) }
}
