import LullModel
import Testing

@testable import LullManifest

/// `params` of a task.
struct ParamKeyTests {
    private static func manifest(_ params: String, run: String = "true") -> String {
        "version: 1\napps:\n  com.example.A: { plugin: ColorFeed, idle_after: never, tasks: { t: { kind: processing, "
            + "params: \(params), settings: { run: \(run) } } } }\n"
    }

    private func messages(_ params: String) -> [String] {
        read(Array(Self.manifest(params).utf8)).diagnostics.map(\.message)
    }

    @Test func `a default alone is short for a mapping, and any scalar is the text that is written`() throws {
        let text =
            "{ day: 2026-01-01, n: 007, flag: yes, empty: \"\", level: { default: info, one_of: [info, 5], description: D } }"
        let result = read(Array(Self.manifest(text).utf8))
        #expect(result.diagnostics.map { $0.rendered() } == [])
        let manifest = try #require(result.manifest)
        let params = try #require(manifest.tasks.first?.params)
        #expect(params.map(\.name) == ["day", "n", "flag", "empty", "level"])
        #expect(params.map(\.value) == ["2026-01-01", "007", "yes", "", "info"])
        #expect(params[4].choices == ["info", "5"] && params[4].description == "D")
    }

    @Test func `a diff names each parameter`() throws {
        let old = try #require(read(Array(Self.manifest("{ day: a, gone: b }").utf8)).manifest)
        let text = Self.manifest("{ day: { default: a, match: '[a-z]+' }, new: c }")
        let new = try #require(read(Array(text.utf8)).manifest)
        let keys = try #require(ManifestDiff(from: old, to: new).apps.first?.tasks.first?.keys)
        #expect(keys.map(\.name) == ["params.day", "params.new", "params.gone"])
        #expect(keys.map(\.before) == ["{ default: \"a\" }", nil, "{ default: \"b\" }"])
        #expect(keys.map(\.after) == ["{ default: \"a\", match: '[a-z]+' }", "{ default: \"c\" }", nil])
    }

    @Test(arguments: [
        ("[day]", "`params` takes keys and values, not a list"),
        ("{ 1day: a }", "'1day' is no name for a parameter"),
        (
            "{ LD-PRELOAD: a, ld_preload: b }",
            "the parameters 'LD-PRELOAD' and 'ld_preload' would be one variable, LULL_PARAM_LD_PRELOAD"
        ),
        ("{ day: }", "the parameter 'day' has no default"),
        (
            "{ day: { default: b, match: a } }",
            "the default 'b' is no value for the parameter 'day', which must match 'a' as a whole"
        ),
        ("{ day: { default: a, match: '(a' } }", "'(a' can't be used as `match`: a `(` is not closed"),
        (
            "{ day: { default: a, match: '(a)\\1' } }",
            "'(a)\\1' can't be used as `match`: back references are not supported"
        ),
        ("{ day: { default: a, required: true } }", "unknown key 'required' in a parameter"),
        ("{ day: \"a\\0b\" }", "the default of the parameter 'day' has the control character U+0000"),
        (
            "{ api-token: x }",
            "'api-token' looks like a secret, and parameters are shown in the history, by `lull why` and on the page"
        ),
        ("{ day: a, day: b }", "the key 'day' appears twice; the first is on line 3"),
    ])
    func `what can't be a parameter is said with its reason`(params: String, message: String) {
        #expect(messages(params) == [message])
    }

    @Test(arguments: [
        (#""report $LULL_PARAM_DAY""#, "without quotes"),
        (#""report ${LULL_PARAM_DAY%-*}""#, "without quotes"),
        (#"'report "$LULL_PARAM_DAY" "${LULL_PARAM_DAY}"'"#, ""), (#""day=$LULL_PARAM_DAY report""#, ""),
        (#""cd /x && day=$LULL_PARAM_DAY""#, ""), (#""report --day=$LULL_PARAM_DAY""#, "without quotes"),
        (#""echo day=$LULL_PARAM_DAY""#, "without quotes"),
        (#""echo '$LULL_PARAM_DAY' \\$LULL_PARAM_X""#, ""),
        (#"'report "$LULL_PARAM_DYA"'"#, "no parameter of that name"),
        (#""echo $LULL_EVENT""#, ""),
    ])
    func `check warns of a use without quotes and of one that is not declared`(run: String, words: String) {
        var machine = machine
        let path = "/usr/lib/lull/libCommand.so"
        machine.entries[path] = FileEntry(.file, realPath: path)
        let text = Self.manifest("{ day: today }", run: run).replacing("ColorFeed", with: "Command")
        let diagnostics = read(Array(text.utf8), on: machine).diagnostics
        #expect(diagnostics.count == (words.isEmpty ? 0 : 1), "\(diagnostics.map(\.message))")
        #expect(diagnostics.allSatisfy { $0.severity == .warning && $0.message.contains(words) })
    }
}
