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

    @Test func `Foundation reads the text back to an equal value`() throws {
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.text.utf8)) == value)
    }
}
