import LullModel
import Testing

@testable import LullTransfers

/// The side file, which its app can change.
struct PartNoteTests {
    private static let note = PartNote(
        url: "https://example.com/a", status: 200,
        headers: [TransferHeader("ETag", #""a:b""#), TransferHeader("X", "")], total: 5, validator: #""a:b""#,
        sent: 7)

    @Test func `a side file is read as it was written`() {
        #expect(PartNote(Array(Self.note.text.utf8)) == Self.note)
    }

    @Test(arguments: [
        (#""total":5"#, #""total":-9223372036854775808"#), (#""sent":7"#, #""sent":-1"#),
        (#""status":200"#, #""status":99999"#), (#""status":200"#, #""status":"-1""#),
        (#""total":5"#, #""total":"many""#), (#""version":1"#, #""version":2"#), ("{", ""),
    ])
    func `what was not written here is not believed`(old: String, new: String) {
        let text = Self.note.text
        #expect(text.contains(old))
        #expect(PartNote(Array(text.replacing(old, with: new).utf8)) == nil)
    }

    @Test(arguments: [
        "\re: 1\n": [], "a b: 1\n": [], ": 1\n": [], "Ä: 1\n": [], "none\n": [],
        "a:\u{301}x\r\n": [TransferHeader("a", "\u{301}x")],
        "X-Y!: b\rc \r\n": [TransferHeader("X-Y!", "b\rc")],
    ])
    func `a header has a name that HTTP allows, and is read as it was written`(
        line: String, headers: [TransferHeader]
    ) {
        var head = AnswerHead()
        head.take("HTTP/1.1 200 OK\r\n".utf8)
        head.take(line.utf8)
        #expect(head.headers == headers)
        var note = Self.note
        note.headers = head.headers
        #expect(PartNote(Array(note.text.utf8)) == note)
    }

    @Test(arguments: [
        ([], true), (["3"], true), (["3", "3"], true), (["3", "6"], false), (["-1"], false), (["x"], false),
    ]) func `a length that is none, or another, leaves the end unknown`(lengths: [String], isReadable: Bool) {
        var head = AnswerHead()
        head.take("HTTP/1.1 200 OK\r\n".utf8)
        for length in lengths { head.take("Content-Length: \(length)\r\n".utf8) }
        #expect(head.hasReadableLength == isReadable)
    }

    @Test(.timeLimit(.minutes(20))) func `a forged side file takes no time to read`() {
        let lines = String(repeating: "a:b\\n", count: 10_000)
        let text = Self.note.text.replacing(#""headers":""#, with: #""headers":""# + lines)
        #expect(PartNote(Array(text.utf8)).map { $0.headers.count <= 500 } == true)
        let long = Self.note.text.replacing("/a", with: "/" + String(repeating: "a", count: 10_000))
        #expect(PartNote(Array(long.utf8)) == nil)
    }
}
