import LullModel
import Testing

@testable import LullManifest

/// Nothing in a manifest grows without bound.
struct LimitTests {
    func said(_ bytes: [UInt8]) -> [String] {
        let result = read(bytes)
        #expect(result.manifest == nil)
        return result.diagnostics.filter { $0.severity == .error }.map {
            "\($0.line):\($0.column): \($0.message)"
        }
    }

    @Test func `aliases that multiply are stopped before they do`() {
        var text = "version: 1\ndefaults: &a [x, x, x, x, x, x, x, x, x, x]\n"
        for (name, other) in zip("bcdefgh", "abcdefg") {
            text +=
                "\(name): &\(name) [" + Array(repeating: "*\(other)", count: 10).joined(separator: ", ")
                + "]\n"
        }
        #expect(
            said(Array(text.utf8)).last
                == "7:36: with the alias '*e' the manifest expands to more than 1000000 nodes")
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func `depth is bounded`(_ opening: String) {
        let text =
            "version: 1\napps: \(opening == "- " || opening == "? " ? "\n  " : "")"
            + String(repeating: opening, count: 5000)
        #expect(said(Array(text.utf8)).contains { $0.hasSuffix("this is nested more than 64 levels deep") })
    }

    @Test func `depth is bounded through aliases`() {
        let nest = { (inner: String) in
            String(repeating: "[", count: 40) + inner + String(repeating: "]", count: 40)
        }
        let item = Case("", task: "kind: refresh\nsettings: { a: &a \(nest("x")), b: \(nest("*a")) }")
        #expect(said(item.bytes) == ["9:153: this is nested more than 64 levels deep"])
    }

    @Test func `the number of nodes is bounded`() {
        let text = "version: 1\napps: [" + String(repeating: "1,", count: Limits.manifestNodes) + "]"
        #expect(
            said(Array(text.utf8)) == ["2:1999998: the manifest has more than 1000000 keys, values and lists"]
        )
    }

    @Test func `a thousand problems are listed and the rest counted`() {
        let text = "version: 1\napps: {}\n" + (0..<1500).map { "key\($0)x: 1\n" }.joined()
        let result = read(Array(text.utf8))
        #expect(result.diagnostics.count == 1002)
        #expect(
            result.diagnostics.last?.rendered() == """
                jobs.yaml: error: and 500 more problems that are not listed
                help: fix the ones above first
                """)
    }

    @Test func `an error is not lost behind a thousand warnings`() {
        let apps = (0..<1100).map { "  com.example.A\($0): { plugin: ColorFeed, tasks: {} }\n" }.joined()
        let errors = said(Array(("version: 1\napps:\n" + apps + "colour: red\n").utf8))
        #expect(
            errors == [
                "1103:1: unknown key 'colour' in the manifest",
                "0:0: and 1200 more problems that are not listed",
            ])
    }

    @Test func `one slip behind many aliases is one problem`() {
        let apps = (0..<50).map { "  com.example.A\($0): *app\n" }.joined()
        let text =
            "version: 1\napps:\n  com.example.A: &app { plugin: Nope, usage: manual, tasks: {} }\n" + apps
        #expect(said(Array(text.utf8)).count == 1)
    }

    @Test func `settings are as large as a plugin takes`() throws {
        let fits = Case(
            "",
            task: "kind: refresh\nsettings: { a: \(String(repeating: "x", count: Limits.settingsBytes - 8)) }"
        )
        let value = try #require(read(fits.bytes).manifest).tasks[0].settings
        #expect(value.text.utf8.count == Limits.settingsBytes)
        let over = Case(
            "",
            task: "kind: refresh\nsettings: { a: \(String(repeating: "x", count: Limits.settingsBytes - 7)) }"
        )
        #expect(
            said(over.bytes) == [
                "9:9: these settings are 65537 bytes of JSON; at most 65536 are handed to a plugin"
            ])
    }

    @Test func `settings that aliases multiply are refused unread`() {
        let list = "&a [" + Array(repeating: "x", count: 300).joined(separator: ",") + "]"
        let lists = Array(repeating: "*a", count: 300).joined(separator: ",")
        let item = Case("", task: "kind: refresh\nsettings: { a: \(list), b: [\(lists)] }")
        #expect(
            said(item.bytes) == [
                "9:9: these settings are more than 65536 bytes of JSON, the most that is handed to a plugin"
            ])
    }

    @Test func `a manifest is at most 16 MiB`() {
        #expect(
            said([UInt8](repeating: 0x23, count: Limits.manifestBytes + 1)) == [
                "0:0: the file is larger than 16 MiB"
            ])
    }

    @Test func `a long identifier is refused`() {
        let name = "com." + String(repeating: "x", count: 300)
        let text =
            "version: 1\napps: { \(name): { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } } }"
        #expect(
            said(Array(text.utf8)).first?.hasSuffix("is not an app identifier: it is longer than 255 bytes")
                == true)
    }
}
