import LullAnswers
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// `lull transfers` and `lull why t17` for people.
struct TransfersTextTests {
    private let now = WallTime(seconds: 1_795_276_800)
    private let app = AppIdentifier("com.example.Mirror")

    private func report(
        _ number: UInt64, _ phase: TransferState.Phase, _ change: (inout TransferReport) -> Void = { _ in }
    ) throws -> TransferReport {
        let order = TransferOrder(
            session: "mirror", ordinal: number, direction: .download,
            url: "https://me:pw@example.com/\(number).iso?key=1")
        var report = TransferReport(
            state: TransferState(
                id: TransferID(number), app: try #require(app), order: order, asked: now - .minutes(5),
                stem: number, phase: phase))
        change(&report)
        return report
    }

    private func reports() throws -> [TransferReport] {
        [
            try report(17, .active) {
                $0.state.progress = TransferProgress(received: 2 << 30, toReceive: 4 << 30)
                $0.rate = 12 * 1_048_576
                $0.likelyDone = now + .minutes(3)
            },
            try report(18, .waiting) {
                $0.reasons = ["the network is metered"]
                $0.until = now + .minutes(10)
            },
            try report(19, .failed) {
                $0.state.failure = TransferFailure(code: -1003, sentence: "There is no host example.com.")
            },
            try report(20, .finished) {
                $0.state.result = TransferResult(
                    status: 200, url: "", headers: [], received: 12_288, sent: 0)
            },
        ]
    }

    private func text(columns: Int) throws -> String {
        TransfersText(reports: try reports(), phrases: Phrases(now: now, zone: .utc))
            .rendered(for: Terminal(columns: columns))
    }

    @Test func `a transfer is a line: how far it is, how fast, and why it waits`() throws {
        let lines = try text(columns: 150).split(separator: "\n").map(String.init)
        // By hand, so that the columns can be seen.
        let expected = """
            4 transfers: 1 runs at 12 MiB/s, 1 waits, 2 are over.
            ID   STATE     DONE                                             OF                  WHAT
            t17  runs      ████████░░░░░░░░ 50 %, 2 GiB of 4 GiB, 12 MiB/s  com.example.Mirror  a download of https://example.com/17.iso: likely done in 3 min
            t18  waits     0 B                                              com.example.Mirror  a download of https://example.com/18.iso: the network is metered;
                                                                                                next in 10 min
            t19  failed    0 B                                              com.example.Mirror  a download of https://example.com/19.iso: There is no host
                                                                                                example.com (-1003)
            t20  finished  12 KiB                                           com.example.Mirror  a download of https://example.com/20.iso: status 200, 12 KiB
                                                                                                received
            """
        #expect(lines == expected.split(separator: "\n").map(String.init))
    }

    @Test(arguments: [40, 60, 80, 100, 150]) func `it fits the terminal`(columns: Int) throws {
        let text = try text(columns: columns)
        for line in text.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
        #expect(!text.contains("key=1") && !text.contains("pw"))
    }

    @Test func `why has the reason first, then what became of it`() throws {
        var paused = HistoryEvent(.transfer, at: now - .minutes(1), app: try #require(app))
        paused.transfer = .paused(TransferID(18), byOperator: true)
        paused.reason = "by an operator"
        let text = TransferWhyText(
            report: try reports()[1], events: [paused], phrases: Phrases(now: now, zone: .utc))
        let lines = text.rendered(for: Terminal(columns: 110)).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "t18, a download of https://example.com/18.iso, waits: the network is metered; next in 10 min.",
                "com.example.Mirror asked for it at 15:55 in its session 'mirror'.",
                "TIME      EVENT     OF                  RUN  DETAILS",
                "15:59:00  transfer  com.example.Mirror       t18 was paused: by an operator",
            ])
    }

    @Test func `programs get all but secrets`() throws {
        let json = try reports().map(TransferJSON.init)
        #expect(json.count == 4)
        let line = TransferLine(try reports()[2]) { _ in "" }
        #expect(line.reasons == ["There is no host example.com (-1003)"])
        #expect(line.bar(of: 8) == nil && line.percent == nil && line.amount == "0 B")
    }

    @Test func `a bar is full at the end alone`() throws {
        for (share, bar, percent) in [(0, "░░░░", "0 %"), (999, "███░", "99 %"), (1000, "████", "100 %")] {
            let line = TransferLine(
                try report(1, .active) {
                    $0.state.progress = TransferProgress(received: Int64(share), toReceive: 1000)
                }
            ) { _ in "" }
            #expect(line.bar(of: 4) == bar && line.percent == percent)
        }
    }
}
