import Foundation
import TestSupport
import Testing

/// `lull plugin check`: each planted fault is found and named, and a good plugin raises no alarm.
struct PluginCheckTests {
    static let manifest = """
        version: 1
        apps:
          org.example.checked:
            plugin: ./plugins/libChecked.so
            idle_after: never
            tasks:
              now: { kind: processing, grace: 10m }

        """
    /// A second task, for checks that compare two tasks.
    static let later = "      later: { kind: refresh, grace: 10m }\n"

    private func workshop(_ fixture: String) throws -> Workshop {
        let workshop = try Workshop()
        let fixtures = Workshop.root.appendingPathComponent("Tests/Fixtures/Plugins").path
        let places = ["\(fixtures)/Check/\(fixture).c", "\(fixtures)/\(fixture).c"]
        let source = try #require(places.first(where: FileManager.default.fileExists))
        let header = Workshop.root.appendingPathComponent("Sources/C/CLullPlugin/include").path
        let result = try Program.run(
            "/usr/bin/env",
            [
                "gcc", "-std=gnu17", "-Wall", "-Wextra", "-shared", "-fPIC", "-pthread", "-I", header, "-I",
                fixtures,
                source, "-o", workshop.folder + "/plugins/libChecked.so",
            ])
        #expect(result.status == 0, "gcc: \(result.error)")
        let hasTwo = ["RegistersLess", "Sound"].contains(fixture)
        // The check waits for the whole grace only where a run does not end.
        let isDeaf = ["DeafAtFirst", "DeafInTheMiddle", "NeverCompletes"].contains(fixture)
        let manifest = Self.manifest + (hasTwo ? Self.later : "")
        try workshop.write(isDeaf ? manifest.replacing("10m", with: "1s") : manifest, to: "jobs.yaml")
        return workshop
    }

    /// Exit status, and name, verdict and sentences of each finding that is neither good nor skipped.
    private func findings(_ fixture: String, _ arguments: [String] = ["--manifest", "jobs.yaml"]) throws
        -> (status: Int32, found: [(check: String, verdict: String, sentence: String)])
    {
        let workshop = try workshop(fixture)
        let result = try workshop.lull(
            ["plugin", "check", "plugins/libChecked.so", "--json", "--seed", "7"] + arguments)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let checks = try #require(object?["checks"] as? [[String: Any]], "\(result.error)")
        let found = checks.compactMap { check -> (check: String, verdict: String, sentence: String)? in
            guard let name = check["check"] as? String, let verdict = check["result"] as? String,
                verdict != "good", verdict != "skipped"
            else { return nil }
            return (name, verdict, (check["sentences"] as? [String] ?? []).joined(separator: "\n"))
        }
        return (result.status, found)
    }

    @Test(arguments: geteuid() == 0 ? ["", "    user: nobody\n"] : [""])
    func `what is checked does not run as root`(user: String) throws {
        let workshop = try workshop("RefusesRoot")
        let manifest = Self.manifest.replacingOccurrences(of: "    idle_after", with: user + "    idle_after")
        try workshop.write(manifest, to: "jobs.yaml")
        let result = try workshop.lull([
            "plugin", "check", "plugins/libChecked.so", "--only", "starts", "--manifest", "jobs.yaml",
        ])
        #expect(result.status == 0, "\(result.output)\(result.error)")
        let bare = try workshop.lull(["plugin", "check", "plugins/libChecked.so", "--only", "starts"])
        #expect(bare.status == 0, "\(bare.output)\(bare.error)")
    }

    @Test(arguments: [
        ("NoEntry", "entry-exported", "does not export 'lull_plugin_entry'"),
        ("WrongMajor", "abi-major", "built against version 2.7"),
        ("TooSmall", "entry-complete", "8 bytes"),
        ("NoLaunch", "entry-complete", "no `launch`"),
        ("UndefinedSymbol", "loads", "nobody_defines_this"),
        ("RefusesStart", "starts", "`start` returned 5"),
        ("CrashesInStart", "starts", "SIGSEGV"),
        ("SlowStart", "starts-in-time", "Loading and `start` took"),
        ("RegistersNothing", "registers-something", "registers no handler"),
        ("RegistersLess", "registers-what-is-permitted", "org.example.checked.later"),
        ("RegistersMore", "registers-only-permitted", "'org.example.checked.forgotten'"),
        ("SlowLaunch", "launch-returns", "`launch` took 2"),
        ("HangsInLaunch", "launch-returns", "has not returned after 5 s"),
        ("CrashesInLaunch", "launch-returns", "SIGABRT"),
        ("CallsExit", "launch-returns", "exited on its own with status 3"),
        ("CompletesTwice", "completes-once", "It completed a run that has ended."),
        ("NewerHost", "survives-older-host", "Ask LULL_HAS"),
        ("DeafAtFirst", "expires-at-once", "had not ended 1 s later"),
        ("DeafInTheMiddle", "expires-at-random", "had not ended 1 s later"),
        ("LeavesThread", "leaves-no-thread", "6 runs left 6 threads"),
        ("LeavesDescriptor", "leaves-no-descriptor", "of /dev/null"),
        ("LeavesProcess", "leaves-no-process", "a run left the process"),
        ("LeavesFile", "leaves-no-file", "'download-"),
        ("Spins", "rests", "% of a processor"),
        ("FailsAfterKill", "runs-after-a-kill", "the next run fails"),
        ("ClosesSocket", "leaves-the-socket-alone", "It closed its socket"),
    ])
    func `a planted fault is found and named`(fixture: String, check: String, words: String) throws {
        // Each of their workers takes long, and there are no other findings in them.
        let only = ["SlowStart", "SlowLaunch"].contains(fixture) ? ["--only", check] : []
        let (status, found) = try findings(fixture, ["--manifest", "jobs.yaml"] + only)
        #expect(status == 1)
        let faults = found.filter { $0.verdict == "fault" }
        let fault = try #require(faults.first { $0.check == check }, "\(found)")
        #expect(fault.sentence.contains(words), "\(fault.sentence)")
        #expect(fault.sentence.hasSuffix("."), "\(fault.sentence)")
        // A fault may cause further findings; an unrelated finding may not appear.
        let consequences: [String: Set<String>] = [
            "RegistersNothing": ["registers-what-is-permitted"],
            "DeafAtFirst": ["expires-while-running", "expires-at-random"],
            "ClosesSocket": ["completes", "launch-returns"], "LeavesProcess": ["leaves-no-thread"],
        ]
        let others = Set(faults.map(\.check)).subtracting([check]).subtracting(consequences[fixture] ?? [])
        #expect(others.isEmpty, "\(found)")
    }

    @Test func `a run that never ends is found`() throws {
        let (status, found) = try findings(
            "NeverCompletes", ["--manifest", "jobs.yaml", "--only", "completes"])
        #expect(status == 1)
        #expect(
            found.count == 1 && found.first?.sentence.contains("did not end by itself within 10 s") == true,
            "\(found)")
    }

    @Test(arguments: [
        ("ExportsMore", "only-entry-exported"), ("KeepsLock", "can-be-suspended"), ("Heavy", "is-light"),
    ])
    func `what may be meant is a warning`(fixture: String, check: String) throws {
        let (status, found) = try findings(fixture)
        #expect(status == 0)
        #expect(found.map(\.check) == [check] && found.first?.verdict == "warning", "\(found)")
    }

    @Test func `a sound plugin has no fault, with a manifest and without one`() throws {
        #expect(try findings("Sound").found.isEmpty)
        let workshop = try workshop("RegistersLess")
        let result = try workshop.lull("plugin", "check", "plugins/libChecked.so")
        #expect(result.status == 0, "\(result.output)")
        #expect(
            result.output.contains("skipped  registers-only-permitted: no --manifest was given"),
            "\(result.output)")
        #expect(result.output.contains("tasks: org.example.checked.now; seed "), "\(result.output)")
        #expect(
            result.output.contains(/built against (1\.\d+), worker speaks \1; made by c/), "\(result.output)")
    }

    /// With real settings, each in a separate folder.
    @Test(arguments: [
        (
            "ColorFeed", "{ feed: feed.json }",
            "refresh: { kind: refresh }\n      db_cleaning: { kind: processing }"
        ),
        ("Command", "{}", "hello: { kind: processing, settings: { run: \"sleep 0.1; echo hello\" } }"),
        ("SQLiteMaintenance", "{ databases: [] }", "maintain: { kind: processing }"),
        ("RepoRefresh", "{ repositories: [clone] }", "fetch: { kind: refresh }"),
        (
            "Mirror", "{ files: [{ url: https://example.org/a, to: /srv/mirror/a }] }",
            "fetch: { kind: processing }"
        ),
    ])
    func `the shipped plugins raise no alarm`(name: String, settings: String, tasks: String) throws {
        let workshop = try Workshop()
        let feed = Workshop.root.appendingPathComponent("plugins/ColorFeed/feed.json").path
        try FileManager.default.copyItem(atPath: feed, toPath: workshop.folder + "/feed.json")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.\(name):
                plugin: \(Workshop.products.path)/lib\(name).so
                idle_after: never
                grace: 10m
                settings: \(settings)
                tasks:
                  \(tasks)

            """, to: "jobs.yaml")
        let plugin = "\(Workshop.products.path)/lib\(name).so"
        for seed in ["1", "2"] {
            let result = try workshop.lull(
                "plugin", "check", plugin, "--manifest", "jobs.yaml", "--seed", seed)
            #expect(result.status == 0, "\(result.output) \(result.error)")
            #expect(!result.output.contains("warning"), "\(result.output)")
        }
    }

    @Test func `one check alone is one finding, and an unknown one is refused`() throws {
        let workshop = try workshop("Sound")
        let one = try workshop.lull(
            "plugin", "check", "plugins/libChecked.so", "--manifest", "jobs.yaml", "--only", "launch-returns")
        #expect(one.status == 0)
        #expect(one.output.hasPrefix("ok       launch-returns\n\n"), "\(one.output)")
        #expect(try workshop.lull("plugin", "check", "plugins/libChecked.so", "--only", "luck").status == 64)
        #expect(try workshop.lull("plugin", "check").status == 64)
        let list = try workshop.lull("plugin", "check", "--list")
        #expect(list.status == 0 && list.output.contains("completes-once"), "\(list.output)")
        // A check that can't be made is never green.
        try workshop.write("no library\n", to: "plugins/text.so")
        for (file, reason) in [
            ("nowhere.so", "There is no file"), ("plugins/text.so", "not a shared library"),
        ] {
            let blind = try workshop.lull("plugin", "check", file, "--only", "completes-once")
            #expect(blind.status == 2, "\(blind.output)")
            #expect(
                blind.output.hasPrefix("skipped  completes-once: the file is not a plugin: "),
                "\(blind.output)")
            #expect(blind.output.contains(reason) && blind.output.contains("1 check could not be made"))
        }
        let stranger = try workshop.lull("plugin", "check", "nowhere.so")
        #expect(stranger.status == 1)
        #expect(stranger.output.contains("There is no file"), "\(stranger.output)")
    }
}
