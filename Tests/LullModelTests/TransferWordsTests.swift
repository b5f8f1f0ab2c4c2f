import LullModel
import Testing

/// The outcome of a transfer, in a line of the history.
@Suite struct `A line about a transfer` {
    private static let id = TransferID(17)
    private static let download = TransferOrder(
        session: "s", ordinal: 1, direction: .download, url: "https://me:pw@example.com/a.iso?key=1")
    private static let upload = TransferOrder(
        session: "s", ordinal: 1, direction: .upload, url: "https://example.com/in")

    private static let lines: [(TransferNote, String)] = [
        (.asked(id, download), "asked for a download of https://example.com/a.iso (t17)"),
        (.asked(id, upload), "asked for an upload to https://example.com/in (t17)"),
        (
            .interrupted(id, until: WallTime(seconds: 9), received: 3 << 20),
            "t17 was interrupted at 3 MiB; tried again at 9"
        ),
        (
            .interrupted(id, until: WallTime(seconds: 9), received: 0),
            "t17 was interrupted; tried again at 9"
        ),
        (
            .challenged(
                id, TransferChallenge(method: .basic, host: "a.org", port: 80, scheme: "http", failures: 1)),
            "t17 waits for the app's answer: a.org asks for a password, and did not accept the last one"
        ),
        (
            .challenged(
                id, TransferChallenge(method: .serverTrust, host: "a.org", port: 443, scheme: "https")),
            "t17 waits for the app's answer: this system does not trust the certificate of a.org"
        ),
        (.answered(id, .credential(user: "me", password: "pw")), "t17 goes on: the app gave a password"),
        (
            .finished(
                id, TransferResult(status: 200, url: "", headers: [], received: 3_435_973_837, sent: 0)),
            "t17 finished: status 200, 3.2 GiB received"
        ),
        (
            .finished(id, TransferResult(status: 204, url: "", headers: [], received: 0, sent: 12)),
            "t17 finished: status 204, 12 B sent"
        ),
        (
            .failed(id, TransferFailure(code: -1003, sentence: "There is no host a.invalid.")),
            "t17 failed for good (-1003)"
        ),
        (.cancelled(id, keepsPart: true), "t17 was cancelled; the part received is kept"),
        (.paused(id, byOperator: true), "t17 was paused"),
        (.resumed(id, byOperator: false), "t17 was resumed"),
        (.taking(id), "the app receives the result of t17"),
        (.taken(id), "the app received the result of t17"),
        (.givenUp(id), "t17 was given up: the app never fetched its result"),
    ]

    @Test func `says what happened, and no secret`() {
        for (note, line) in Self.lines {
            #expect(note.words { "at \($0.seconds)" } == line)
        }
    }

    @Test func `is red when the app did not get what it wished`() {
        #expect(Self.lines.filter(\.0.isFailure).map(\.0.id) == [Self.id, Self.id])
    }
}
