import Glibc
import LullModel
import LullWire
import TestSupport
import Testing

@testable import LullWorkers

/// The worker's side of the wire: for any bytes from its host it goes on, or ends with the status that says so.
///
/// The host is trusted and of the same build, but a trap in the worker would count as its plugin's crash.
struct AnyHostTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `no frames make a worker trap`(seed: UInt64) throws {
        let bench = try WorkerBench()
        let plugin = try bench.compile("Good")
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for round in 0..<40 {
            var frames = Self.script(plugin: plugin, folder: bench.folder).map { $0.encoded() }
            // Every third round may change the introduction, too; the others change only later frames.
            let from = round % 3 == 0 ? 0 : 4
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                Self.change(&frames, from: from, using: &random)
            }
            let ending = try Self.end(of: frames)
            if ending == .status(Wire.refusedStatus) { refused += 1 }
            let isGood =
                [.status(0), .status(Wire.refusedStatus), .signal(SIGKILL)].contains(ending)
            #expect(isGood, "seed \(seed), round \(round): \(ending.sentence)\n\(frames)")
        }
        #expect(refused > 0)
    }

    private static func script(plugin: String, folder: String) -> [HostFrame] {
        let task = "org.example.good.now"
        return [
            .welcome(
                .init(
                    app: "org.example.good", plugin: plugin, stateFolder: folder, nice: 0, settingsBytes: 2,
                    permits: 1)),
            .confine(WireConfinement()), .settings(part: Array("{}".utf8)),
            .permit(identifier: task, kind: .processing, settings: "{}"),
            .launch(run: 1, kind: .processing, identifier: task, deadline: 0, label: WireLabel()),
            .submitReply(sequence: 1, status: 0, sentence: ""), .powerMode(isLow: true),
            .pendingReply(
                sequence: 2, requests: [WireRequest(kind: .refresh, identifier: task)], isLast: false),
            .expire(run: 1, reason: "its time is up"), .expireActivities, .cancelReply(sequence: 3),
            .launch(run: 2, kind: .refresh, identifier: task, deadline: 1, label: WireLabel(title: "a")),
            .expire(run: 2, reason: ""), .terminate,
        ]
    }

    private static func change(_ frames: inout [[UInt8]], from: Int, using random: inout SeededGenerator) {
        let index = Int.random(in: from..<frames.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: frames.remove(at: index)
        case 1: frames.insert(frames[index], at: index)
        case 2: frames.swapAt(index, Int.random(in: from..<frames.count, using: &random))
        // The bytes of the limits stay: they apply to the process, and don't test the reader.
        case _ where frames[index].first == 12: break
        case 3: frames[index].removeLast(Int.random(in: 0..<frames[index].count, using: &random))
        default:
            let place = Int.random(in: 0..<frames[index].count, using: &random)
            frames[index][place] = UInt8.random(in: 0...255, using: &random)
        }
        if frames.count <= from { frames.append(HostFrame.terminate.encoded()) }
    }

    /// The end of a worker that gets these frames before its host's socket closes.
    private static func end(of frames: [[UInt8]]) throws -> Ending {
        let process = try WorkerProcess.spawn(WorkerBench.worker)
        var buffer = [UInt8](repeating: 0, count: 128 << 10)
        for frame in frames {
            _ = send(process.socket, frame, frame.count, Int32(MSG_NOSIGNAL))
            while recv(process.socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        }
        shutdown(process.socket, Int32(SHUT_WR))
        // Waits for the worker's end before closing the socket, because it may still write.
        var waiting = pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, Int32(hangLimit / .milliseconds(1)))
        defer {
            process.end()
            for descriptor in [process.socket, process.output, process.error] { close(descriptor) }
            process.bury()
        }
        return try #require(process.ending?.worker, "it has not ended")
    }
}
