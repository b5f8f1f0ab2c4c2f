import Testing

@testable import lull

struct RunFollowerTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("ö", 2), ("€", 3), ("💡", 4), ("aö€💡", 10),
    ])
    func `a character is shown when all of it has come`(text: String, count: Int) {
        let bytes = Array(text.utf8)
        #expect(RunFollower.endOfWholeCharacters(bytes) == count)
        // Each prefix is cut before its last character, unless that character is whole.
        for length in 0..<count {
            let end = RunFollower.endOfWholeCharacters(Array(bytes[..<length]))
            #expect(String(validating: bytes[..<end], as: UTF8.self) != nil && length - end < 4)
        }
    }

    @Test func `what is no UTF-8 waits for nothing`() {
        #expect(RunFollower.endOfWholeCharacters([0xFF, 0x80, 0x80, 0x80, 0x80]) == 5)
        #expect(RunFollower.endOfWholeCharacters([0x41, 0x80]) == 2)
    }
}
