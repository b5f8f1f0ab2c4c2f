import Foundation
import LullModel
import LullWire
import Testing

struct FrameTests {
    private func decodeHost(_ bytes: [UInt8]) throws -> HostFrame {
        try bytes.withUnsafeBytes { try HostFrame(decoding: $0) }
    }

    private func decodeWorker(_ bytes: [UInt8]) throws -> WorkerFrame {
        try bytes.withUnsafeBytes { try WorkerFrame(decoding: $0) }
    }

    @Test(arguments: Examples.host) func `a frame of the host reads as it was written`(frame: HostFrame)
        throws
    {
        #expect(try decodeHost(frame.encoded()) == frame)
    }

    @Test(arguments: Examples.worker) func `a frame of the worker reads as it was written`(frame: WorkerFrame)
        throws
    {
        #expect(try decodeWorker(frame.encoded()) == frame)
    }

    @Test func `a frame is written into the memory of the last`() throws {
        let long = WorkerFrame.log(run: 1, level: .info, message: String(repeating: "x", count: 1000))
            .encoded()
        let short = WorkerFrame.withdraw(sequence: 1)
        #expect(short.encoded(reusing: long) == short.encoded())
    }

    @Test func `the manual numbers each frame as it is sent`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let manual = try String(contentsOf: root.appending(path: "docs/workers.md"), encoding: .utf8)
        let rows = manual.matches(of: /\n\| (\d+) \| `(\w+)` \|/).map { "\($0.1) \($0.2)" }
        func row(_ frame: Any, _ bytes: [UInt8]) -> String {
            let name = Mirror(reflecting: frame).children.first?.label ?? "\(frame)"
            return "\(bytes.first ?? 0) \(name)"
        }
        let sent = Set(
            Examples.host.map { row($0, $0.encoded()) } + Examples.worker.map { row($0, $0.encoded()) })
        #expect(Set(rows) == sent && rows.count == sent.count)
    }

    @Test func `the bytes of a launch are these`() {
        let bytes = HostFrame.launch(
            run: 0x0102, kind: .refresh, identifier: "a.b", deadline: -1, label: WireLabel(subtitle: "c")
        ).encoded()
        #expect(
            bytes == [4, 2, 1, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0x61, 0x2E, 0x62]
                + [UInt8](repeating: 255, count: 8) + [0, 1, 1, 0, 0, 0, 0x63, 0] + [0, 0, 0, 0, 0])
    }

    @Test func `a frame that is cut anywhere is refused`() {
        for frame in Examples.host {
            let bytes = frame.encoded()
            for count in 0..<bytes.count {
                #expect(throws: WireError.self) { try decodeHost(Array(bytes[..<count])) }
            }
        }
        for frame in Examples.worker {
            let bytes = frame.encoded()
            for count in 0..<bytes.count {
                #expect(throws: WireError.self) { try decodeWorker(Array(bytes[..<count])) }
            }
        }
    }

    @Test func `a byte too many is refused`() {
        for frame in Examples.worker {
            #expect(throws: WireError.surplus(bytes: 1)) { try decodeWorker(frame.encoded() + [0]) }
        }
    }

    @Test func `each fault has its error`() {
        #expect(throws: WireError.empty) { try decodeWorker([]) }
        #expect(throws: WireError.unknownFrame(4)) { try decodeWorker([4]) }
        #expect(throws: WireError.unknownFrame(65)) { try decodeHost([65]) }
        #expect(throws: WireError.tooLong(bytes: Limits.frameBytes + 1)) {
            try decodeWorker([UInt8](repeating: 65, count: Limits.frameBytes + 1))
        }
        #expect(throws: WireError.notUTF8) { try decodeWorker([65, 1, 0, 0, 0, 0xFF]) }
        #expect(throws: WireError.fieldTooLong(bytes: 256, limit: 255)) {
            try decodeWorker([65, 0, 1, 0, 0])
        }
        #expect(throws: WireError.fieldTooLong(bytes: 0xFFFF_FFFF, limit: 255)) {
            try decodeWorker([65, 255, 255, 255, 255])
        }
        // One request more than a host puts into one part.
        let frame = HostFrame.pendingReply(
            sequence: 1, requests: [WireRequest](repeating: Examples.requests[0], count: 64), isLast: true)
        var bytes = frame.encoded()
        #expect(throws: Never.self) { try decodeHost(bytes) }
        bytes[10] = 65
        #expect(throws: WireError.listTooLong(count: 65, limit: 64)) {
            try decodeHost(bytes + bytes.suffix((bytes.count - 12) / 64))
        }
        // A `completed` whose Boolean is neither 0 nor 1.
        #expect(throws: WireError.unknownValue(2)) { try decodeWorker([73, 0, 0, 0, 0, 0, 0, 0, 0, 2]) }
        #expect(throws: WireError.unknownValue(7)) {
            try decodeWorker([74, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0])
        }
    }

    @Test func `a text that is too long is cut at a character`() throws {
        let sentence = String(repeating: "ä", count: Limits.reasonBytes)
        let bytes = WorkerFrame.violation(run: 1, identifier: "", sentence: "x" + sentence, isFatal: false)
            .encoded()
        let expected = "x" + String(repeating: "ä", count: (Limits.reasonBytes - 1) / 2)
        #expect(
            try decodeWorker(bytes) == .violation(run: 1, identifier: "", sentence: expected, isFatal: false))
    }

    @Test func `the longest frames fit`() throws {
        let title = String(repeating: "t", count: Limits.titleBytes)
        let long = WireRequest(
            kind: .refresh, identifier: String(repeating: "i", count: Wire.nameBytes),
            label: WireLabel(title: title, subtitle: title, protection: title))
        let parts = [WireRequest](repeating: long, count: HostFrame.requestsInPart)
        let frames: [HostFrame] = [
            .pendingReply(sequence: 1, requests: parts, isLast: true),
            .permit(
                identifier: long.identifier, kind: .refresh,
                settings: String(repeating: "s", count: Limits.settingsBytes)),
            .settings(part: [UInt8](repeating: 32, count: Wire.settingsPart)),
        ]
        for frame in frames {
            #expect(frame.encoded().count <= Limits.frameBytes)
            #expect(try decodeHost(frame.encoded()) == frame)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no bytes trap, and what is read writes the same`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var bytes = Examples.worker.randomElement(using: &random)?.encoded() ?? []
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                    .random(in: 0...255, using: &random)
                }
            case 1:
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
            default:
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            if let frame = try? decodeWorker(bytes), case .cancel = frame {
                // A cancel of everything does not keep its name.
            } else if let frame = try? decodeWorker(bytes) {
                #expect(frame.encoded() == bytes, "seed \(seed)")
            }
            if let frame = try? decodeHost(bytes) { #expect(frame.encoded() == bytes, "seed \(seed)") }
        }
    }

    @Test func `each error is a phrase`() {
        let errors: [WireError] = [
            .empty, .tooLong(bytes: 1), .unknownFrame(1), .cutShort, .surplus(bytes: 1), .notUTF8,
            .fieldTooLong(bytes: 2, limit: 1), .listTooLong(count: 2, limit: 1), .unknownValue(1),
        ]
        #expect(Set(errors.map(\.message)).count == errors.count)
        #expect(errors.allSatisfy { $0.message.hasPrefix("a") && !$0.message.hasSuffix(".") })
    }
}
