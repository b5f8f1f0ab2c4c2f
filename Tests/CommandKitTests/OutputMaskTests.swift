import CCommandKit
import Glibc
import Testing

/// The output of a command without its secrets.
@Suite struct OutputMaskTests {
    /// The masked output of a stream that comes in these pieces.
    private func shown(_ pieces: [String], hiding words: [String]) -> String {
        var secrets = words.map { word in
            command_secret(
                name: nil, file: nil, command: nil, variable: nil, text: strdup(word), length: word.utf8.count
            )
        }
        defer { for secret in secrets { free(secret.text) } }
        guard let mask = command_mask_make(&secrets, secrets.count) else { return pieces.joined() }
        defer { command_mask_free(mask) }
        var bytes: [UInt8] = []
        var count = 0
        for (number, piece) in (pieces + [""]).enumerated() {
            let text = command_mask_pass(mask, piece, piece.utf8.count, number == pieces.count, &count)
            bytes += UnsafeRawBufferPointer(start: text, count: count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (["hunter2"], "hunter2", "***"), (["hunter2"], "a hunter2, hunter22", "a ***, ***2"),
        (["hunter2\n"], "a hunter2\nb", "a ***\nb"), (["hunter2\n\n"], "hunter2\n!", "***!"),
        (["hunter2"], "hunter2hunter2", "***"),
        (["hunter2"], "Hunter2 hunter 2 hunter", "Hunter2 hunter 2 hunter"),
        // Overlapping secrets are hidden whole, also one that overlaps itself.
        (["abcd1234", "1234efgh"], "abcd1234efgh", "***"), (["abcdef", "bcde"], "abcdef bcde", "*** ***"),
        (["abab"], "xabababy", "x***y"), (["aaaa"], "aaaaa aaa", "*** aaa"), (["aaab"], "aaaab", "a***"),
        (["abcdefgh", "cdef"], "abcdefgX", "ab***gX"), (["a\nbcd"], "a\nbc a\nbcd", "a\nbc ***"),
        // A secret that is too short would be hidden everywhere.
        (["abc", "abcd"], "abc abcd", "abc ***"), (["abc"], "abc", "abc"), (["abc\n"], "abc\n", "abc\n"),
        (["pässwört"], "my pässwört", "my ***"), ([], "hunter2", "hunter2"),
    ])
    func `a secret becomes stars, however it is cut`(words: [String], text: String, expected: String) {
        #expect(shown([text], hiding: words) == expected)
        let halves = text.unicodeScalars.indices.map { [String(text[..<$0]), String(text[$0...])] }
        for pieces in halves { #expect(shown(pieces, hiding: words) == expected, "\(pieces)") }
        #expect(shown(text.unicodeScalars.map { String($0) }, hiding: words) == expected)
    }

    @Test func `what can be no secret is shown at once`() {
        let text = "hunter2"
        var secret = command_secret(
            name: nil, file: nil, command: nil, variable: nil, text: strdup(text), length: text.utf8.count)
        defer { free(secret.text) }
        let mask = command_mask_make(&secret, 1)
        defer { command_mask_free(mask) }
        var count = 0
        _ = command_mask_pass(mask, "done. hun", 9, false, &count)
        #expect(count == 6)
        _ = command_mask_pass(mask, "gry", 3, false, &count)
        #expect(count == 6)
    }

    /// Compares with a search at each place of the text.
    @Test func `masks of random texts are those of a plain search`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let letters = ["a", "ab", "abc"].randomElement(using: &random) ?? "a"
            func text(_ lengths: ClosedRange<Int>) -> String {
                String(
                    (0..<Int.random(in: lengths, using: &random)).map { _ in
                        letters.randomElement(using: &random) ?? "a"
                    })
            }
            let words = (0..<3).map { _ in text(3...7) }
            let pieces = (0..<6).map { _ in text(0...8) }
            let all = Array(pieces.joined())
            var hidden = all.map { _ in false }
            for word in words where word.count >= 4 {
                for start in all.indices where all[start...].starts(with: word) {
                    for place in start..<start + word.count { hidden[place] = true }
                }
            }
            var expected = ""
            for place in all.indices {
                if !hidden[place] { expected.append(all[place]) }
                if hidden[place], place == 0 || !hidden[place - 1] { expected += "***" }
            }
            #expect(shown(pieces, hiding: words) == expected, "\(words) \(pieces)")
        }
    }
}
