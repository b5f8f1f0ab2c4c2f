import Foundation
import LullModel
import Testing

struct JSONValueTests {
    private let value = JSONValue.object([
        "b": .array([.null, .bool(true), .integer(-3), .number(0.5), .string("a\"\\\n\u{1}é")]),
        "a": .object([:]),
    ])

    @Test func `the text has sorted keys and escapes what JSON asks for`() {
        #expect(value.text == #"{"a":{},"b":[null,true,-3,0.5,"a\"\\\n\u0001é"]}"#)
    }

    @Test func `what would steer a terminal is escaped, and read as the same`() throws {
        let hostile = JSONValue.string("a\u{85}b\u{9D}c\u{7F}d\u{202A}e\u{2066}f\u{A0}\u{200D}")
        let text = hostile.text
        #expect(text == #""a\u0085b\u009dc\u007fd\u202ae\u2066f"# + "\u{A0}\u{200D}\"")
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == hostile)
        let pretty = "{\n  \"a\" : \"b\u{9B}\u{2069}\"\n}"
        #expect(pretty.terminalSafeJSON == "{\n  \"a\" : \"b\\u009b\\u2069\"\n}")
    }

    @Test func `Foundation reads the text back to an equal value`() throws {
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.text.utf8)) == value)
    }
}
