import LullModel
import Testing

@testable import LullUsage

@Suite struct CSVRecordsTests {
    private func records(_ text: [UInt8]) throws -> [[String]?] {
        var reader = CSVRecords(ImportInput(name: "uses", bytes: text))
        var record = CSVRecords.Record()
        var out: [[String]?] = []
        while try reader.next(into: &record) {
            let fields = record.fields.indices.map { String(decoding: record.text($0), as: UTF8.self) }
            out.append(record.problem == nil ? fields : nil)
        }
        return out
    }

    @Test(
        arguments: [
            ("", []),
            ("a", [["a"]]),
            ("a,b\n", [["a", "b"]]),
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            (",\n", [["", ""]]),
            ("\n\na\n", [[""], [""], ["a"]]),
            (#""a,b",c"#, [["a,b", "c"]]),
            ("\"a\nb\",c\n", [["a\nb", "c"]]),
            (#""say ""hello""","""#, [[#"say "hello""#, ""]]),
            ("\"a\"\"", [nil]),
            (#"a "b" c,d"#, [[#"a "b" c"#, "d"]]),
            ("\"a\" ,b\nc\n", [nil, ["c"]]),
        ] as [(String, [[String]?])])
    func `fields are what RFC 4180 says`(text: String, expected: [[String]?]) throws {
        #expect(try records(Array(text.utf8)) == expected)
    }

    @Test func `what is written is what is read`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let rows = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    String(
                        (0..<Int.random(in: 1...8, using: &random)).map { _ in
                            Array("ab ,\"\n;é").randomElement(using: &random) ?? "a"
                        })
                }
            }
            let text = rows.map { row in
                row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
            }
            #expect(try records(Array(text.joined(separator: "\n").utf8)) == rows)
        }
    }

    @Test func `any bytes leave records or problems, each with a place in the text`() throws {
        var random = SeededGenerator(seed: 8)
        for seed in 0..<400 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                Array("\",\n\r01a\u{0}é{}[".utf8).randomElement(using: &random) ?? 0
            }
            for format in [ImportFormat.common, .jsonl, .csv] {
                let options = try ImportSample.options {
                    $0.format = format
                    $0.column = "1"
                }
                let read = try UsageImport.read(ImportInput(name: "x", bytes: bytes), options: options)
                let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
                #expect(
                    read.problems.allSatisfy { (1...lines).contains($0.line) && $0.column >= 1 }, "\(seed)")
                #expect(read.refused <= read.lines && read.lines <= lines, "\(seed) \(format)")
            }
        }
    }

    @Test func `a quotation mark that is never closed costs no more than a record may have`() throws {
        let text = "a\n\"" + String(repeating: "x\n", count: 40_000) + "b\n"
        let found = try records(Array(text.utf8))
        #expect(found[0] == ["a"])
        #expect(found[1] == nil)
        #expect(found.last == ["b"])
    }
}
