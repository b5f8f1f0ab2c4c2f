import Testing

@testable import lull

struct KeyPressTests {
    @Test(arguments: [
        ("q", [KeyPress.character("q")]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}", [.escape]),
        ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~j", [.pageDown, .character("j")]), ("\r", [.enter]),
        ("\u{3}", [.interrupt]), ("\u{1B}[1;5H", [.home]), ("\u{1B}[F", [.end]),
        // An unknown sequence is skipped whole, and a cut-off one gives no key.
        ("\u{1B}[15~q", [.character("q")]), ("\u{1B}[1;", []), ("é", []), ("", []),
    ])
    func `bytes of a terminal are keys`(bytes: String, keys: [KeyPress]) {
        #expect(KeyPress.decode(Array(bytes.utf8)) == keys)
    }

    @Test func `any bytes are keys or nothing, and never more keys than bytes`() {
        for first in UInt8.min...UInt8.max {
            for second in [UInt8(0), 27, 91, 79, 126, 255] {
                let bytes = [27, first, second]
                let keys = KeyPress.decode(bytes)
                let isSequence = first == UInt8(ascii: "[") || first == UInt8(ascii: "O")
                #expect(isSequence ? keys.count <= 1 : keys.first == .escape, "\(bytes): \(keys)")
                #expect(keys.count <= bytes.count, "\(bytes): \(keys)")
                for case .character(let character) in keys {
                    #expect((" "..."~").contains(character), "\(bytes): \(keys)")
                }
            }
        }
    }
}
