import Foundation
import LullHistory
import LullLoop
import LullModel

@testable import LullControl

/// A client of the control socket that sends anything: it gets answers or a sentence, and its connection ends.
///
/// An even first byte: the rest goes over the socket as it is. An odd one: each line becomes the body of a frame.
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
        // More may not fit into the socket, and nobody listens while all is sent.
        try talk(Array(stream.prefix(60 << 10)))
    }

    /// What can be decoded is encoded as what it was, on both sides.
    private static func readAnew(_ body: Data) throws {
        if let envelope = try? JSONDecoder().decode(ControlEnvelope.self, from: body) {
            let again = try JSONDecoder().decode(
                ControlEnvelope.self, from: JSONEncoder().encode(ControlEnvelope(request: envelope.request)))
            try hold(again.request == envelope.request, "read anew it is another: \(envelope.request)")
            try count(envelope.request)
        }
        if let response = try? JSONDecoder().decode(ControlResponse.self, from: body) {
            let again = try JSONDecoder().decode(
                ControlResponse.self, from: JSONEncoder().encode(response))
            try hold(again == response, "read anew it is another: \(response)")
        }
    }

    private static let now = WallTime(seconds: 1_795_219_200)

    /// Instants are counted with wherever they come to: none may be so far off that this can't be done.
    private static func count(_ request: ControlRequest) throws {
        var times: [WallTime] = []
        switch request {
        case .outlook(_, let by): times = [by].compactMap(\.self)
        case .used(_, let at): times = [at].compactMap(\.self)
        case .submit(_, let earliestBegin, _): times = [earliestBegin].compactMap(\.self)
        case .pause(_, let until, _): times = [until].compactMap(\.self)
        case .importEvents(let events):
            times = events.flatMap { [$0.time, $0.earliestBegin].compactMap(\.self) }
            for event in events { _ = HistoryLines.encode(event) }
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
            handler: { request, answer in
                asked += 1
                // Some are never answered.
                if case .await = request { return }
                answer(.done("\(request)"))
                answer(.refused("a second time"))
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
        // Also what is no request is answered.
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
            _ = try JSONDecoder().decode(ControlResponse.self, from: body)
            answers += 1
        }
        try hold(bytes.isEmpty, "half an answer")
        try hold(answers <= limit, "\(answers) answers, and \(limit) are the most")
    }
}
