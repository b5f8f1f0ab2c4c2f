@testable import LullManifest

extension Remedy {
    /// The `params` of a task, and their replacement.
    private static func params(_ slip: String, _ write: String) -> Remedy {
        Remedy(task: "kind: processing\nparams: { \(slip) }", "{ \(slip) }", "{ \(write) }")
    }

    /// The command of a task with the parameter `day`.
    private static func command(_ slip: String, _ write: String) -> Remedy {
        let head = "version: 1\napps:\n  com.example.A:\n    plugin: Command\n    idle_after: never\n"
        let task = "    tasks:\n      r:\n        kind: processing\n        params: { day: today }\n"
        return Remedy(head + task + "        settings: { run: '\(slip)' }\n", slip, write).prose.with {
            let path = "/usr/lib/lull/libCommand.so"
            $0.before.entries[path] = FileEntry(.file, realPath: path)
            $0.after = $0.before
        }
    }

    private static let long = String(repeating: "x", count: 4000)
    private static let many = (0...32).map { "p\($0): a" }.joined(separator: ", ")
    private static let large = (0..<5).map { "p\($0): \(long)" }.joined(separator: ", ")

    static let params: [Remedy] = [
        params(
            "n: { default: '1', regex: '[0-9]' }", "n: { default: '1', match: '[0-9]{4}-[0-9]{2}-[0-9]{2}' }"
        ).about("regex").prose.leaving("is no value for"),
        Remedy(
            task: "kind: processing\noptions: { level: info }", "options: { level: info }",
            "params: { level: { default: info, one_of: [info, debug] } }"),
        params("\"a b\": x", "a-b: x").prose,
        params("a-b: x, a_b: y", "a-b: x, c: y").prose,
        params(many, "p0: a").prose,
        params(large, "p0: /srv/values").prose,
        params("day: ~", "day: \"\""),
        params("day: { match: 'a*' }", "day: { default: a, match: 'a*' }").prose,
        params("level: [info, debug]", "level: { default: info, one_of: [info, debug] }"),
        params("n: { default: 1, match: '[0-9' }", "n: { default: 1, match: '[0-9]+' }"),
        params(
            "n: { default: 1, match: '\(String(repeating: "1", count: 1025))' }",
            "n: { default: 1, match: '1' }"
        ).prose,
        params("n: { default: a, match: 'a', one_of: [a] }", "n: { default: a, one_of: [a] }").prose,
        params("level: { default: info, one_of: [] }", "level: { default: info, one_of: [info, debug] }"),
        params(
            "level: { default: info, one_of: [info, [debug]] }",
            "level: { default: info, one_of: [info, debug] }"),
        params("level: { default: a, one_of: [a, a] }", "level: { default: a, one_of: [a] }").prose,
        params("level: { default: trace, one_of: [info] }", "level: { default: info, one_of: [info] }"),
        params("n: { default: a, match: '[0-9]+' }", "n: { default: 1, match: '[0-9]+' }").prose,
        params("n: \"a\\tb\"", "n: a b").prose,
        params("db-password: x", "db-user: x").prose,
        command("report $LULL_PARAM_DAY", "report \"$LULL_PARAM_DAY\""),
        command("report \"$LULL_PARAM_DYA\"", "report \"$LULL_PARAM_DAY\""),
        command("report \"$LULL_PARAM_SOMETHING\"", "report"),
    ]
}
