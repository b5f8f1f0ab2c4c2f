import LullModel
import Testing

@testable import LullImport

struct YAMLTextTests {
    @Test(arguments: [
        "true", "no", "~", "null", "1", "1e3", "0x1F", "", " a", "a: b", "- a", "# a", "a # b", "'", "\"",
        "\\", "a'b\"c\\d",
        "%a", "@daily", "`x`", "{a}", "[a]", "*a", "&a", "!a", "|", ">", "a\nb\n", "\t", "é", "\u{1F4A9}",
        "\u{85}",
        "\u{2028}", "\u{FEFF}", "\u{7F}", "\u{202E}x", "/a/b.c", ".nan", "=", "<<", "? a", "a,b", "---",
        "...", "a:",
    ])
    func `text is read back as it was`(text: String) throws {
        let yaml = """
            version: 1
            apps:
              com.example.A:
                plugin: Command
                idle_after: never
                settings: { a: \(YAMLText.quoted(text)), \(YAMLText.key("k" + text)): b }
                tasks: { a: { kind: processing } }
            """
        let result = Samples.reader.read(text: Array(yaml.utf8), path: "jobs.yaml")
        let app = try #require(result.manifest?.apps.first, "\(result.diagnostics.map { $0.rendered() })")
        #expect(app.settings == .object(["a": .string(text), "k" + text: .string("b")]))
    }

    @Test(arguments: ["a", "", "# a", "\u{1}", "a\u{2028}b", "a\nb", "tab\there"])
    func `a comment stays one line`(text: String) {
        let line = YAMLText.comment(text)
        #expect(line.hasPrefix("#"))
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x2028 })
    }

    @Test func `what is too long for a line is broken at its keys`() {
        let long = String(repeating: "x ", count: 40)
        let value = YAMLText.mapping([("a", .text(long)), ("b", .mapping([("c", .word("1"))]))])
        #expect(
            YAMLText.lines("k", value, indent: 2) == ["  k:", "    a: \"\(long)\"", "    b: { c: 1 }"])
        #expect(YAMLText.lines("k", .mapping([("a", .word("1"))]), indent: 0) == ["k: { a: 1 }"])
    }
}
