@testable import LullManifest

extension Remedy {
    private static let one =
        "  com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }\n"

    static let structure: [Remedy] = [
        Remedy("", "", "version: 1\napps:\n").leaving("no apps"),
        Remedy("hello\n", "hello", "version: 1\napps:").leaving("no apps"),
        Remedy(task: "kind:refresh", "kind:refresh", "kind: refresh"),
        Remedy(app: "tasks:\n  r: kind:refresh", "r: kind:refresh", "r:\n        kind: refresh"),
        Remedy(app: "tasks: { r: refresh }", "refresh", "\n        { kind: refresh }"),
        Remedy("version: 1\napps:\n  com.example.A: ColorFeed\n", "A: ColorFeed", "A:\n    plugin: ColorFeed")
            .leaving("no source of uses", "no tasks"),
        Remedy(task: "kind: refresh\nrepaet: 15m", "repaet", "repeat"),
        Remedy(
            "version: 1\napps:\n" + one + "colour: red\n", "colour: red",
            "heartbeat: { url: \"https://a.example/\" }"
        )
        .prose,
        Remedy(task: "kind: refresh\nrequires: { idle:true }", "idle:true", "idle: true").prose,
        Remedy(app: "repeat: 15m\ntasks: { r: { kind: refresh } }", "    repeat: 15m\n", "").prose,
        Remedy(task: "kind: processing\ncron: 0 5 * * *", "cron: 0 5 * * *", "at: \"30 2 * * *\""),
        Remedy(
            app: "schedule: daily\ntasks:\n  r:\n    kind: processing",
            "schedule: daily\n    tasks:\n      r:\n", "tasks:\n      r:\n        at: \"30 2 * * *\"\n"),
        Remedy(task: "kind: processing\nretries: 3", "retries: 3", "retry: { attempts: 3, first: 30s }"),
        Remedy(task: "kind: processing\ntimout: 5m", "timout: 5m", "time_limit: 10m"),
        Remedy(task: "kind: processing\nrequires: { free_disk: 1GiB }", "free_disk: 1GiB", "disk_free: 1GiB"),
        Remedy(task: "kind: processing\nfree_disk: 1GiB", "free_disk: 1GiB", "requires: { disk_free: 1GiB }")
            .prose,
        Remedy(task: "kind: processing\ndepends_on: other", "\n        depends_on: other", "").prose,
        Remedy(
            app: "tasks:\n  r: { kind: refresh }\ns: { kind: refresh }", "    s: { kind", "      s: { kind"
        ).prose,
        Remedy(
            "version: 1\napps:\n" + one.replacing("plugin: ColorFeed, ", with: ""), "{ usage",
            "{ plugin: ColorFeed, usage"
        ).prose,
        Remedy(
            "version: 1\napps:\n  com.example.A:\n    plugin: Command\n    idle_after: never\n"
                + "    tasks: { t: { repeat: 1d, settings: { run: ls } } }\n", "{ repeat",
            "{ kind: processing, repeat"
        ).prose.with {
            let path = "/usr/lib/lull/libCommand.so"
            $0.before.entries[path] = FileEntry(.file, realPath: path)
            $0.after = $0.before
        },
        Remedy(task: "kind: processing\ncommand: ls", "command: ls", "settings: { run: ls }").prose,
        Remedy(
            "version: 1\napps:\n  com.example.A:\n    plugin: Command\n    idle_after: never\n"
                + "    tasks: { t: { kind: processing, run: ls } }\n", "run: ls", "settings: { run: ls }"
        ).prose.with {
            let path = "/usr/lib/lull/libCommand.so"
            $0.before.entries[path] = FileEntry(.file, realPath: path)
            $0.after = $0.before
        },
        Remedy(
            app: "tasks:\nt:\n  kind: refresh", "    t:\n      kind", "      t:\n        kind"
        ).prose,
        Remedy(task: "kind: refresh\nstore: postgres", "\n        store: postgres", "").prose,
        Remedy(task: "kind: refresh\nnice: 5\nkind: processing", "kind: refresh\n        ", "").prose,
        Remedy("apps:\n" + one, "apps", "version: 1\napps"),
        Remedy(
            "version: 1\n", "1\n",
            "1\napps: { com.example.A: { plugin: ColorFeed, usage: manual, tasks: {} } }\n"
        )
        .leaving("no tasks").prose,
        Remedy(task: "repeat: 15m", "repeat: 15m", "repeat: 15m\n        kind: refresh"),
        Remedy(task: "kind: refresh\n? [a]\n: b", "? [a]\n        : b", "nice: 5").prose,
        Remedy(task: "kind: refresh\n<<: { nice: 5 }", "<<: { nice: 5 }", "nice: 5").prose,
        Remedy(task: "kind: refresh\nnice: !!int 5", "!!int ", "").prose,
        Remedy(
            "version: 1\ndefaults: &common { nice: 5 }\napps:\n" + one.dropLast(3)
                + ", settings: { a: *comon } }\n", "*comon", "*common"),
        Remedy(task: "kind: refresh\ndescription: *all", "*all", "'*all'").prose,
        Remedy(task: "kind: refresh\ndescription: all\nsettings: { a: *all }", ": all", ": &all all"),
        Remedy("version: 1\napps: &a { com.example.A: *a }\n", "&a { com.example.A: *a }", "{}").leaving(
            "no apps"
        )
        .prose,
        Remedy("version: 1\napps:\n" + one + "---\nversion: 1\n", "---\nversion: 1\n", "").prose,
        Remedy(
            task: "kind: refresh\nsettings: { a: " + nest(70, "x") + " }", nest(70, "x"), nest(9, "x")
        ).prose,
        expanding,
        Remedy(
            "version: 1\napps:\n" + one + (0..<1500).map { "k\($0)x: 1\n" }.joined(),
            (0..<1500).map { "k\($0)x: 1\n" }.joined(), ""
        ).about("fix the ones above").prose,
        Remedy(
            "version: 1\napps: [" + String(repeating: "1,", count: 1_000_001) + "]",
            "[" + String(repeating: "1,", count: 1_000_001) + "]", "{}"
        ).about("split the tasks").leaving("no apps").prose,
    ]

    private static func nest(_ depth: Int, _ text: String) -> String {
        String(repeating: "[", count: depth) + text + String(repeating: "]", count: depth)
    }

    /// Aliases of aliases.
    private static var expanding: Remedy {
        let twenty = { (name: String) in "[" + Array(repeating: name, count: 20).joined(separator: ",") + "]"
        }
        let levels = (0..<6).map { "&l\($0 + 1) " + twenty($0 == 0 ? "x" : "*l\($0)") }
        let text = levels.enumerated().map { "  k\($0.offset): \($0.element)" }.joined(separator: "\n")
        return Remedy(
            bytes: Array(whole(task: "kind: refresh\nsettings:\n" + text).utf8),
            Array(whole(task: "kind: refresh\nsettings:\n  k: x").utf8)
        ).about("fewer aliases").prose
    }

    static let identifiers: [Remedy] = [
        Remedy(
            "version: 1\napps:\n" + one.replacing("com.example.A", with: "Feed"), "Feed:", "com.example.Feed:"
        ),
        Remedy(
            "version: 1\napps:\n" + one.replacing("com.example.A", with: "com..Feed"), "com..Feed",
            "com.example.ColorFeed"),
        Remedy(app: "tasks: { a/b: { kind: refresh } }", "a/b", "a_b"),
        Remedy(app: "tasks: { °: { kind: refresh } }", "°", "refresh"),
        Remedy(app: "tasks: { °: { kind: refresh } }", "°", "com.example.ColorFeed.refresh"),
        Remedy(
            app: "tasks: { \(String(repeating: "x", count: 300)): { kind: refresh } }",
            String(repeating: "x", count: 300), "x"
        ).prose,
        Remedy("version: 1\napps:\n" + one + "  com.example.A: {}\n", "  com.example.A: {}\n", "").prose,
        Remedy(
            app: "tasks:\n  r: { kind: refresh }\n  com.example.A.r: { kind: refresh }", "com.example.A.r",
            "s"
        ).prose,
        Remedy(app: "tasks: { export.*: { kind: processing } }", "kind: processing", "kind: continued"),
        Remedy(app: "tasks: { export.*: { kind: processing } }", "export.*", "export").prose,
        Remedy(
            app: "tasks: { backup.nightly: { kind: refresh } }", "backup.nightly",
            "com.example.A.backup.nightly"),
        Remedy(app: "tasks: { backup.nightly: { kind: refresh } }", "backup.nightly", "backup_nightly"),
    ]
}
