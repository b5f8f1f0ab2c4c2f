import Foundation
import LullHistory
import LullModel
import LullSystem

@testable import LullControl

/// A client of the control socket that sends any bytes: it gets answers or an error, and its connection ends.
///
/// If the first byte is even, the rest is sent as it is; if it is odd, each line becomes the body of a frame.
enum ControlCheck {
    static func run(_ bytes: [UInt8]) throws {
        guard let mode = bytes.first else { return }
        let text = bytes.dropFirst()
        var stream = Array(text)
        if mode & 1 == 1 {
            let bodies = text.split(separator: UInt8(ascii: "\n"))
            stream = []
            for body in bodies {
                withUnsafeBytes(of: UInt32(body.count).littleEndian) { stream += $0 }
                stream += body
            }
            for body in bodies { try readAnew(Data(body)) }
        }
        // More may not fit into the socket, and nothing reads while all is sent.
        try talk(Array(stream.prefix(60 << 10)))
    }

    /// A decoded frame survives encoding and decoding, on both sides.
    private static func readAnew(_ body: Data) throws {
        if let question = try? ControlFrame.question(body) {
            try readAnew(question.question, for: question.bearer)
            try count(question.question)
        }
        // As an answer in JSON, and in packed bytes.
        let packed = Data(try Packed.encode(true).dropLast()) + body
        for word in Ask.Word.allCases {
            try readAnew(word.question, body)
            try readAnew(word.question, packed)
        }
    }

    private static func readAnew<Q: Question>(_ question: Q, for bearer: Bearer?) throws {
        var frame = try ControlFrame.encode(question, for: bearer)
        guard let body = try ControlFrame.take(from: &frame) else { throw Broken("no frame: \(question)") }
        let asked = try ControlFrame.question(body)
        try hold(
            asked.question as? Q == question && asked.bearer == bearer, "read anew it is another: \(question)"
        )
    }

    private static func readAnew<Q: Question>(_ type: Q.Type, _ body: Data) throws {
        guard let answer = try? ControlFrame.answer(to: type, body) else { return }
        for form in [ControlFrame.Form.json, .packed] {
            var frame = ControlFrame.encode(Result.success(answer), as: form)
            guard let body = try ControlFrame.take(from: &frame) else { throw Broken("no frame: \(answer)") }
            try hold(try ControlFrame.answer(to: type, body) == answer, "read anew it is another: \(answer)")
        }
    }

    private static let now = WallTime(seconds: 1_795_219_200)

    /// The host computes with the instants in requests: none may be so distant that this overflows.
    private static func count(_ question: any Question) throws {
        var times: [WallTime] = []
        switch question {
        case let question as Ask.Why: times = [question.by].compactMap(\.self)
        case let order as Ask.Used: times = [order.time].compactMap(\.self)
        case let order as Ask.Submit: times = [order.earliestBegin].compactMap(\.self)
        case let order as Ask.Pause: times = [order.until].compactMap(\.self)
        case let question as Ask.ImportEvents:
            times = question.events.flatMap { [$0.time, $0.earliestBegin].compactMap(\.self) }
            for event in question.events { _ = HistoryLines.encode(event) }
        default: break
        }
        for time in times {
            try hold((WallTime.distantPast...(.distantFuture)).contains(time), "\(time) is beyond all times")
            _ = (time - now, now - time, time + .days(1000), time.seconds, time.rfc3339)
        }
    }

    private static func talk(_ stream: [UInt8]) throws {
        var sockets: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw Broken("no sockets: \(errno)") }
        defer { close(sockets[1]) }
        let loop = try EventLoop()
        var asked = 0
        var surroundings = ControlConnection.Surroundings()
        // A spool would be a file; an import waits for one here.
        surroundings.ended = { _ in loop.stop() }
        let connection = ControlConnection(
            descriptor: sockets[0], loop: loop, surroundings,
            handler: { put in
                asked += 1
                // Some are never answered.
                if put.question is Ask.Await { return }
                put.back.answer(Result.success(OrderAnswer("\(put.question)")))
                put.back.refuse("a second time")
            })
        guard connection.begin() else { throw Broken("the loop takes no descriptor") }
        let sent = stream.withUnsafeBytes { send(sockets[1], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        try hold(sent == stream.count, "only \(sent) of \(stream.count) bytes fit into the socket")
        shutdown(sockets[1], Int32(SHUT_WR))
        loop.run()
        var frames = 0
        var rest = stream
        while (try? ControlFrame.take(from: &rest)) != nil { frames += 1 }
        try hold(asked <= frames, "\(asked) requests in \(frames) frames")
        // Bytes that are no request get an answer too.
        try hear(sockets[1], atMost: frames + 1)
    }

    private static func hear(_ descriptor: Int32, atMost limit: Int) throws {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        var answers = 0
        while let body = try ControlFrame.take(from: &bytes) {
            do throws(ControlError) {
                _ = try ControlFrame.answer(to: Ask.Reload.self, body)
            } catch {
                guard case .refused = error else { throw error }
            }
            answers += 1
        }
        try hold(bytes.isEmpty, "half an answer")
        try hold(answers <= limit, "\(answers) answers, and \(limit) are the most")
    }
}
