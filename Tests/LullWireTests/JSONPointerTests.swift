import LullModel
import LullWire
import Testing

struct JSONPointerTests {
    private func find(_ pointer: String, in json: String) -> String? {
        let value = Array(json.utf8).withUnsafeBytes { JSONPointer(pointer.utf8)?.value(in: $0) }
        return value.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let text = #"""
        { "feed" : "a\"b\\c\/\n\u00e9\ud83d\udca1" , "n":-1.5e3,"list":[ 1 , [2, 3] ,{"x":null}, "s" ],
          "": "empty", "a/b": 1, "m~n": 2, "o": {"k":{"v":true},"empty":{}, "none":[]}, "feed":"second" }
        """#

    @Test(
        arguments: [
            ("/feed", "a\"b\\c/\né💡"), ("/n", "-1.5e3"), ("/list/0", "1"), ("/list/1/1", "3"),
            ("/list/2", "{\"x\":null}"),
            ("/list/2/x", "null"), ("/list/3", "s"), ("/", "empty"), ("/a~1b", "1"), ("/m~0n", "2"),
            ("/o/k/v", "true"),
            ("/o/empty", "{}"), ("/o/none", "[]"), ("/list/1", "[2, 3]"),
        ])
    func `a value is found at its path`(pointer: String, value: String) {
        #expect(find(pointer, in: Self.text) == value)
    }

    @Test(
        arguments: [
            "/nothing", "/list/4", "/list/-1", "/list/01", "/list/x", "/list/-", "/n/0", "/feed/0",
            "/o/empty/a",
            "/o/none/0", "feed", "/m~n", "/m~", "/list/99999999999999999999", "/o/k/v/w",
        ])
    func `elsewhere there is nothing`(pointer: String) {
        #expect(find(pointer, in: Self.text) == nil)
    }

    @Test func `the empty pointer is the whole text`() {
        #expect(find("", in: "{\"a\": [1]}") == "{\"a\": [1]}")
        #expect(find("", in: " \"text\" ") == "text")
    }

    @Test func `half a pair of surrogates is replaced`() {
        #expect(find("/a", in: #"{"a":"x\ud83dy"}"#) == "x\u{FFFD}y")
        #expect(find("/a", in: #"{"a":"\ud83d\u0041"}"#) == "\u{FFFD}A")
        #expect(find("/a", in: #"{"a":"\udca1"}"#) == "\u{FFFD}")
    }

    @Test(
        arguments: [
            "", "{", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"a\" 1}", "[", "{\"b\":[,\"a\":1", "{\"a\":\"x",
            "{\"a\":\"\\",
            "{\"a\":\"\\u12\"}", "{\"a\":\"\\q\"}", "{a:1}",
        ])
    func `a text that is no JSON has nothing`(json: String) {
        #expect(find("/a", in: json) == nil)
    }

    @Test func `depth costs no stack`() {
        let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        #expect(find("/a", in: "{\"d\":\(deep),\"a\":1}") == "1")
    }

    @Test func `what the model writes is found again`() {
        let value = JSONValue.object(["k\n\"": .array([.string("ü\u{1}\\"), .integer(.min)])])
        #expect(find("/k\n\"/0", in: value.text) == "ü\u{1}\\")
        #expect(find("/k\n\"/1", in: value.text) == "\(Int64.min)")
    }

    @Test(arguments: [1, 2] as [UInt64]) func `no bytes trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]",:\u0dea18~/ -t"#.utf8)
        for _ in 0..<20_000 {
            let json = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let path = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            for pointer in [JSONPointer(path), JSONPointer("/a/0".utf8), JSONPointer("".utf8)] {
                _ = json.withUnsafeBytes { pointer?.value(in: $0) }
            }
        }
    }
}
