import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullControl

/// Clients and hosts of different versions, with recorded frames: each learns what to do, whatever the rest of the frame is.
struct ControlVersionTests {
    private static let ours = "lull \(LullVersion.text)"

    /// The answer of a host of this version to a client's frame.
    private func answer(to body: String) throws -> (body: String, hasEnded: Bool) {
        let loop = try EventLoop()
        var sockets: [Int32] = [-1, -1]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &sockets) == 0)
        defer { close(sockets[1]) }
        let turn = try LoopChannel<Bool>(on: loop) { _ in loop.stop() }
        var hasEnded = false
        var surroundings = ControlConnection.Surroundings()
        surroundings.ended = { _ in hasEnded = true }
        let connection = ControlConnection(
            descriptor: sockets[0], loop: loop, surroundings, handler: { $0.say("well") })
        try #require(connection.begin())
        var frame: [UInt8] = []
        withUnsafeBytes(of: UInt32(body.utf8.count).littleEndian) { frame += $0 }
        frame += body.utf8.prefix(60 << 10)
        try #require(send(sockets[1], frame, frame.count, Int32(MSG_NOSIGNAL)) == frame.count)
        for _ in 0..<4 {
            turn.send(true)
            loop.run()
        }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        bytes.removeLast(bytes.count - max(0, recv(sockets[1], &bytes, bytes.count, 0)))
        let answer = try #require(try ControlFrame.take(from: &bytes))
        return (String(decoding: answer, as: UTF8.self), hasEnded)
    }

    /// A refusal as the first version decoded it.
    private struct FirstAnswer: Decodable {
        struct Sentence: Decodable { let _0: String }
        let refused: Sentence
    }

    @Test(
        arguments: [
            #"{"version":1,"request":{"status":{}}}"#,
            #"{"version":1,"request":{"why":{"_0":"com.example.App.task"}}}"#,
            #"{"version":1,"request":{"importEvents":{"_0":[]}}}"# + String(repeating: " ", count: 300 << 10),
        ])
    func `an older client is told to use the host's lull, in the form that it reads`(body: String) throws {
        let (answer, hasEnded) = try answer(to: body)
        let sentence = try JSONDecoder().decode(FirstAnswer.self, from: Data(answer.utf8)).refused._0
        #expect(
            sentence
                == "This host is \(Self.ours) and speaks version 2 of the control protocol; the command speaks version 1. "
                + "Use the `lull` that the host was started from.")
        #expect(hasEnded)
    }

    @Test(
        arguments: [
            #"{"version":7,"ask":["everything"],"content":null}"#,
            #"{"ask":3,"question":{"why":7},"version":7}"#,
            #"{"version":7,"question":"importEvents","pages":["# + String(repeating: "7,", count: 200 << 10)
                + "7]}",
        ])
    func `a newer client is told to restart the host, whatever it asks`(body: String) throws {
        let (answer, hasEnded) = try answer(to: body)
        #expect(throws: ControlError.refused(ControlError.clientSpeaks(7).message)) {
            try ControlFrame.answer(to: Ask.Status.self, Data(answer.utf8))
        }
        #expect(
            ControlError.clientSpeaks(7).message
                == "This host is \(Self.ours) and speaks version 2 of the control protocol; the command speaks version 7. "
                + "Restart the host to make it as new as the command, or use the `lull` that the host was started from."
        )
        #expect(hasEnded)
    }

    @Test(arguments: [("", false), (#""packed":true,"#, true)])
    func `who asks for packed bytes has them, and a client of an earlier build has JSON`(
        wish: String, isPacked: Bool
    ) throws {
        let asked = try ControlFrame.question(
            Data((#"{"version":2,"question":"reload","# + wish + #""content":{}}"#).utf8))
        var buffer = ControlFrame.encode(Result.success(OrderAnswer("well")), as: asked.form)
        let body = try #require(try ControlFrame.take(from: &buffer))
        #expect(Packed.isPacked(body) == isPacked)
        #expect(try ControlFrame.answer(to: Ask.Reload.self, body).sentence == "well")
    }

    @Test func `a question of the same version that is not known is named, and the next one is answered`()
        throws
    {
        let (answer, hasEnded) = try answer(
            to: #"{"version":2,"question":"dreams","content":{"of":"sheep"}}"#)
        #expect(throws: ControlError.refused(ControlError.unknownQuestion("dreams").message)) {
            try ControlFrame.answer(to: Ask.Status.self, Data(answer.utf8))
        }
        #expect(!hasEnded)
    }

    @Test(
        arguments: [
            // The first version's answers had no version, and it could not decode our questions.
            (#"{"refused":{"_0":"This is not a request of the control protocol: keyNotFound(…)"}}"#, 1),
            (#"{"status":{"_0":{}}}"#, 1),
            (#"{"version":7,"reply":{"dreams":[]}}"#, 7),
        ])
    func `a client names the version of a host that it can't understand`(body: String, version: Int) throws {
        #expect(throws: ControlError.hostSpeaks(version)) {
            try ControlFrame.answer(to: Ask.Status.self, Data(body.utf8))
        }
        let remedy =
            (version < 2 ? "Restart the host to make it as new as the command, or use" : "Use")
            + " the `lull` that the host was started from."
        #expect(
            ControlError.hostSpeaks(version).message
                == "The host speaks version \(version) of the control protocol; this command is \(Self.ours) and speaks "
                + "version 2. " + remedy)
    }

    @Test func `a newer host's refusal is heard in its own words`() throws {
        let body =
            #"{"version":7,"mood":"tired","refused":{"_0":"This host is lull 9.0.0. Use its `lull`.","code":3}}"#
        #expect(throws: ControlError.refused("This host is lull 9.0.0. Use its `lull`.")) {
            try ControlFrame.answer(to: Ask.Status.self, Data(body.utf8))
        }
    }
}
