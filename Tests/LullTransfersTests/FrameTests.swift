import LullModel
import LullTransfers
import Testing

struct FrameTests {
    static let start = TransferStart(
        id: TransferID(7), attempt: 3, stem: 5, folder: "/srv/app/.transfers",
        order: TransferOrder(
            session: "s", ordinal: 1, direction: .upload, method: "PUT", url: "https://example.com/ä",
            headers: [TransferHeader("X-A", "b")], body: TransferBody([0, 255]), file: "up-1",
            asksChallenges: true, resumes: TransferID(2)),
        rules: TransferRules(rate: 5, hosts: ["*.example.com"]),
        answers: [
            GivenAnswer(
                .credential(user: "u", password: "p"),
                to: TransferChallenge(method: .digest, host: "h", port: 1, scheme: "http", failures: 1))
        ], keepsFree: 9, room: 10)

    static let frames: [TransferFrame] = [
        .user(nil), .user(TransferUser(number: 0x7000_0001, group: 12)), .folder("/a/ü"), .confine,
        .begin(start),
        .stop(TransferID(1), keepsPart: true), .remove(folder: "/a", stem: .max, upload: nil),
        .remove(folder: "/a", stem: 1, upload: "up-2"), .ask,
    ]
    static let reports: [ProcessFrame] = [
        .hello(version: ProcessFrame.version), .removed, .alive,
        .news(TransferID(1), attempt: 2, .progressed(TransferProgress(received: 5, toReceive: 6))),
        .news(
            TransferID(1), attempt: 2,
            .finished(TransferResult(status: 200, url: "u", headers: [], received: 1, sent: 0))),
        .news(TransferID(1), attempt: 2, .failed(TransferFailure(code: -1, sentence: "No."))),
        .news(
            TransferID(1), attempt: .max,
            .interrupted(sentence: "Later.", retryAfter: .seconds(3), received: 4)),
        .news(
            TransferID(1), attempt: 0,
            .challenged(TransferChallenge(method: .basic, host: "h", port: 80, scheme: "http", realm: "r"))),
    ]

    @Test(arguments: frames) func `a frame is read as it was written`(frame: TransferFrame) throws {
        let bytes = try #require(frame.encoded())
        #expect(TransferFrame(bytes[...]) == frame)
    }

    @Test(arguments: reports) func `a report is read as it was written`(report: ProcessFrame) throws {
        let bytes = try #require(report.encoded())
        #expect(ProcessFrame(bytes[...]) == report)
    }

    @Test func `bytes that mean nothing are no frame`() throws {
        var generator = SeededGenerator(seed: 17)
        #expect(TransferFrame([]) == nil && ProcessFrame([]) == nil && TransferFrame([0]) == nil)
        #expect(TransferFrame([3, 1]) == nil)
        for whole in try Self.frames.map({ try #require($0.encoded()) })
            + Self.reports.map({ try #require($0.encoded()) })
        {
            for count in 0..<whole.count {
                // A frame that is cut short or has another byte is either read or refused.
                let short = whole[..<count]
                #expect(TransferFrame(short)?.encoded().map { ArraySlice($0) == short } ?? true)
                _ = ProcessFrame(short)
                var other = whole
                other[count] = UInt8.random(in: 0...255, using: &generator)
                _ = TransferFrame(other[...])
                _ = ProcessFrame(other[...])
            }
        }
    }

    @Test(arguments: [
        TransferNews.progressed(TransferProgress(received: .max, sent: .max)),
        .progressed(TransferProgress(toReceive: 1 << 61)),
        .finished(TransferResult(status: 200, url: "u", headers: [], received: -1, sent: 0)),
        .interrupted(sentence: "Later.", retryAfter: nil, received: .min),
    ]) func `a count that no file comes to is no news`(news: TransferNews) throws {
        let bytes = try #require(ProcessFrame.news(TransferID(1), attempt: 1, news).encoded())
        #expect(ProcessFrame(bytes[...]) == nil)
    }

    @Test func `an order that is too long for a frame is not sent`() {
        var start = Self.start
        start.order.body = TransferBody([UInt8](repeating: 1, count: Limits.frameBytes))
        #expect(TransferFrame.begin(start).encoded() == nil)
    }
}
