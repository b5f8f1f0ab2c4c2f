import Foundation
import TestSupport
import Testing

/// Who may decide what runs, who gets which messages, and which files stay private: with the real host.
struct TrustTests {
    private func workshop(_ fixture: String = "Tasks", keys: String = "", tasks: [String] = ["succeed"])
        throws
        -> Workshop
    {
        let workshop = try Workshop()
        try workshop.compile(fixture, as: "Plugin")
        try write(keys, tasks, to: workshop)
        return workshop
    }

    private func write(_ keys: String, _ tasks: [String] = ["succeed"], to workshop: Workshop) throws {
        let lines = tasks.map { "      \($0): { kind: processing, requires: { idle: false } }\n" }
        try workshop.write(
            "version: 1\napps:\n  com.example.App:\n    plugin: Plugin\n    idle_after: never\n"
                + (keys.isEmpty ? "" : "    \(keys)\n") + "    tasks:\n" + lines.joined(), to: "jobs.yaml")
    }

    private func digest(of workshop: Workshop) throws -> String {
        let sum = try Program.run("/usr/bin/env", ["sha256sum", workshop.folder + "/plugins/libPlugin.so"])
        return String(sum.output.prefix(64))
    }

    @Test func `a pinned plugin runs, and another in its place does not`() throws {
        let workshop = try workshop()
        let pin = try digest(of: workshop)
        try write("sha256: \(pin)", to: workshop)
        #expect(try workshop.lull("check").status == 0)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        host.send(SIGTERM)
        #expect(host.end() == 0)

        try workshop.compile("Neighbour", as: "Plugin")
        let sentence = "is not the file that the manifest pins: its SHA-256 is \(try digest(of: workshop))"
        for arguments in [["check"], ["check", "--no-plugins"], ["launch", "com.example.App.succeed"]] {
            let result = try workshop.lull(arguments)
            #expect(result.status == 1 && result.error.contains(sentence), "\(result.error)")
        }
        #expect(try workshop.lull("history").output.contains("is not the file that the manifest pins"))
    }

    @Test func `a plugin that others can write by now is not started anew, and says why`() throws {
        let workshop = try workshop(keys: "keep_warm: 1h")
        let plugin = workshop.folder + "/plugins/libPlugin.so"
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        try #require(chmod(plugin, 0o666) == 0)
        // The loaded plugin is still the one that was judged.
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        for worker in try Processes.descendants(of: host.process.processIdentifier, named: "lull-worker") {
            kill(worker, SIGKILL)
        }
        try waitUntilChildless(host)
        let refused = try workshop.lull("launch", "com.example.App.succeed")
        #expect(
            refused.status == 1 && refused.error.contains("Every user of this machine can write the plugin"))
        try #require(chmod(plugin, 0o755) == 0)
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    /// Waits until the host has no child any more.
    private func waitUntilChildless(_ host: Program) throws {
        let pid = host.process.processIdentifier
        let script =
            "for i in $(seq 6000); do [ -z \"$(cat /proc/\(pid)/task/*/children)\" ] && exit 0; sleep 0.1; done; exit 1"
        try #require(try Program.run("/bin/sh", ["-c", script]).status == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
    func `what belongs to somebody else is an error of the check`() throws {
        let workshop = try workshop()
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        try #require(chown(workshop.folder + "/plugins", nobody, 0) == 0)
        let folder = try workshop.lull("check")
        #expect(
            folder.status == 1 && folder.error.contains("belongs to 'nobody', who can replace what is in it")
        )
        try #require(chown(workshop.folder + "/plugins", 0, 0) == 0)
        try #require(chown(workshop.folder + "/jobs.yaml", nobody, 0) == 0)
        let manifest = try workshop.lull("check")
        #expect(manifest.status == 1 && manifest.error.contains("can therefore decide what is run as you"))
    }

    /// A group other than this user's own to which this user may give a file.
    private static let group: (number: gid_t, name: String)? = {
        if geteuid() == 0 { return getgrnam("daemon").map { ($0.pointee.gr_gid, "daemon") } }
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        guard getgroups(Int32(groups.count), &groups) >= 0 else { return nil }
        return groups.first { $0 != getegid() }.flatMap { number in
            getgrgid(number).map { (number, String(cString: $0.pointee.gr_name)) }
        }
    }()

    @Test(.enabled(if: group != nil, "needs root, or a second group that this user is in"))
    func `a file that a group can write is an error of the check`() throws {
        let workshop = try workshop()
        let group = try #require(Self.group)
        try #require(chown(workshop.folder + "/jobs.yaml", geteuid(), group.number) == 0)
        try #require(chmod(workshop.folder + "/jobs.yaml", 0o664) == 0)
        let result = try workshop.lull("check")
        #expect(result.status == 1, "\(result.error)")
        #expect(
            result.error.contains("the group '\(group.name)' can write this file, and so decide what is run"))
        #expect(result.error.contains("chmod g-w"))
    }

    @Test func `what tells the loader where to look does not reach a worker`() throws {
        let workshop = try workshop("Environment")
        let hostile = [
            "LD_LIBRARY_PATH=/nowhere", "LD_AUDIT=", "LD_BIND_NOT=1", "LD_DEBUG_OUTPUT=/nowhere/debug",
            "GCONV_PATH=/nowhere", "LOCPATH=/nowhere", "MALLOC_PERTURB_=1",
            "GLIBC_TUNABLES=glibc.malloc.check=3",
            "LULL_MUTATION=1", "PYTHONPATH=/nowhere", "IFS=x", "BASH_ENV=/nowhere", "TMPDIR=/tmp",
        ]
        let lull = Workshop.products.appendingPathComponent("lull").path
        let result = try Program.run(
            "/usr/bin/env",
            hostile + [lull, "launch", "com.example.App.succeed"]
                + ["--state", workshop.state, "--plugins", workshop.folder + "/plugins"], in: workshop.folder)
        #expect(result.status == 0, "\(result.error)")
        let output = try workshop.lull("history", "--run", "1").output
        #expect(output.contains("TMPDIR=/tmp") && output.contains("LULL_WORKER="), "\(output)")
        for variable in hostile where variable != "TMPDIR=/tmp" {
            let name = variable.prefix { $0 != "=" }
            #expect(!output.contains("\(name)="), "\(name)")
        }
    }

    @Test func `a secret in settings is handed to the plugin and told to nobody else`() throws {
        let secret = "hunter2-\(UUID().uuidString)"
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Plugin")
        let manifest = """
            version: 1
            apps:
              com.example.App:
                plugin: Plugin
                idle_after: never
                settings: { token: "\(secret)", deep: [ { key: "\(secret)" } ] }
                tasks:
                  talk: { kind: processing, requires: { idle: false }, settings: { token: "\(secret)" } }
                  crash: { kind: processing, requires: { idle: false }, settings: { token: "\(secret)" } }

            """
        try workshop.write(manifest, to: "jobs.yaml")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        var said = ""
        for arguments in [
            ["check"], ["check", "--json"], ["launch", "com.example.App.talk"],
            ["launch", "com.example.App.crash", "--json"],
            ["submit", "com.example.App.talk", "--earliest", "1d"], ["pending"], ["pending", "--json"],
            ["status"],
            ["status", "--json"], ["why", "com.example.App.talk"],
            ["why", "com.example.App.crash", "--json"],
            ["history"], ["history", "--json"], ["history", "--run", "1"], ["forecast", "--json"],
            ["used", "com.example.App"], ["simulate"],
        ] {
            let result = try workshop.lull(arguments)
            said += result.output + result.error
        }
        // An error beside the secret, on the same line, may not quote the secret in a log.
        for fault in [", retries: 0777 }", ", token: 2 }", ", text: * }"] {
            let line = "settings: { token: \"\(secret)\""
            try workshop.write(
                manifest.replacingOccurrences(
                    of: line + ", deep: [ { key: \"\(secret)\" } ] }", with: line + fault),
                to: "jobs.yaml")
            host.send(SIGHUP)
            try host.waitForLine(containing: "stays in force")
        }
        host.send(SIGTERM)
        #expect(host.end() == 0)
        said += host.said
        #expect(said.contains("a word on standard output") || said.contains("did what it was asked"))
        #expect(!said.contains(secret))
        let names = try #require(FileManager.default.enumerator(atPath: workshop.state)).allObjects
        for name in names.compactMap({ $0 as? String }) {
            let bytes = FileManager.default.contents(atPath: workshop.state + "/" + name) ?? Data()
            // The manifest in force is kept for the next start, readable by the host's account alone.
            if name == "manifest.json" {
                var status = stat()
                try #require(stat(workshop.state + "/" + name, &status) == 0)
                #expect(status.st_mode & 0o7777 == 0o600)
                continue
            }
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may become another user"))
    func `another user asks the host for nothing`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        // As if somebody had opened all folders: the host still checks the client's credentials.
        for path in [workshop.folder, workshop.state] { try #require(chmod(path, 0o755) == 0) }
        try #require(chmod(workshop.state + "/control.sock", 0o666) == 0)
        let copy = workshop.folder + "/lull"
        try FileManager.default.copyItem(
            atPath: Workshop.products.appendingPathComponent("lull").path, toPath: copy)
        let ask = [
            "--reuid=65534", "--regid=65534", "--clear-groups", copy, "pending", "--state", workshop.state,
        ]
        let result = try Program.run("/usr/bin/setpriv", ask, in: workshop.folder)
        #expect(result.status == 1, "\(result.output) \(result.error)")
        #expect(result.output.isEmpty, "\(result.output)")
        #expect(try workshop.lull("pending").status == 0)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may become another user"))
    func `a group that may read sees everything and changes nothing`() throws {
        let workshop = try workshop()
        try #require(chmod(workshop.folder, 0o755) == 0)
        let copy = workshop.folder + "/lull"
        try FileManager.default.copyItem(
            atPath: Workshop.products.appendingPathComponent("lull").path, toPath: copy)
        /// As a user in no other group than 4 (adm).
        func ask(_ words: [String]) throws -> Program.Result {
            try Program.run(
                "/usr/bin/setpriv",
                ["--reuid=65534", "--regid=65534", "--groups=4", copy] + words + ["--state", workshop.state],
                in: workshop.folder)
        }
        let task = "com.example.App.succeed"
        let host = try workshop.start("run", "--readers", "adm", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("launch", task).status == 0)
        let looks = [
            ["status"], ["why", task], ["night"], ["history"], ["history", "1"], ["cost"], ["forecast"],
        ]
        for look in looks {
            let result = try ask(look)
            #expect(result.status == 0 && !result.output.isEmpty, "\(look): \(result.output) \(result.error)")
        }
        let uses = workshop.folder + "/uses.jsonl"
        try #"{"time":"2026-01-01T00:00:00Z","event":"used","app":"com.example.App"}"#
            .write(toFile: uses, atomically: false, encoding: .utf8)
        let acts = [
            ["launch", task], ["pause", "--all"], ["used", "com.example.App"], ["cancel", task],
            ["push", "com.example.App"], ["reload"], ["history", "import", uses],
        ]
        for act in acts {
            let result = try ask(act)
            #expect(
                result.status == 1 && result.error.contains("may read and change nothing"),
                "\(act): \(result.output) \(result.error)")
        }
        host.send(SIGTERM)
        #expect(host.end() == 0)
        // What a host has left can be read, too; the next one without the option takes it back.
        #expect(try ask(["history", "1"]).status == 0)
        let next = try workshop.start("run", "jobs.yaml")
        try next.waitForLine(containing: "discovered com.example.App")
        for look in looks { #expect(try ask(look).status == 1) }
        next.send(SIGTERM)
        #expect(next.end() == 0)
    }
}
