import Foundation
import TestSupport
import Testing

/// Apps attack a running host with the files and sockets of a worker (`docs/attacks.md`): the host still answers and runs
/// another app, and ends in order afterwards.
struct SiegeTests {
    struct Act: Sendable {
        let task: String
        var keys = ""
        /// Text that a line of the app's history has to contain.
        let says: String

        init(_ task: String, keys: String = "", _ says: String = "completed succeeded") {
            (self.task, self.keys, self.says) = (task, keys, says)
        }

        var app: String { "com.example.\(task.capitalized)" }
    }

    /// For acts that end only when their time is up.
    private static let short = "time_limit: 60s"

    static let acts = [
        Act("linger"), Act("knock"), Act("inflight", keys: "limits: { descriptors: 256 }"), Act("instances"),
        Act("locks"),
        Act(
            "leaderless", keys: "limits: { memory: 64MiB }",
            " of memory, but may use 64 MiB (`limits: { memory }`)"),
        Act("leader"), Act("stop", keys: short, "killed"),
        Act("exec", "violation killed It closed its socket to the host."),
        Act("traced"), Act("steal"), Act("packets"),
        Act("deaf", keys: short, "failed "), Act("nothing", "violation killed"),
        Act("names"), Act("vfork"), Act("escapes"),
    ]

    /// The user that the host runs as, and the `user` of its apps.
    static let identities: [[String]] =
        geteuid() == 0 && getpwnam("nobody") != nil
        ? [["", ""], ["", "host"], ["nobody", ""]] : [["", ""]]

    @Test(arguments: identities)
    func `a besieged host serves the others`(identity: [String]) throws {
        let site = try SiegeSite(as: identity[0], user: identity[1])
        let launches = try Self.acts.map { try site.workshop.start("launch", "\($0.app).\($0.task)") }
        try site.waitUntilHeld()
        #expect(try site.lull("status").status == 0)
        try site.letGo(["com.example.Neighbour"])
        let neighbour = try site.lull("launch", "com.example.Neighbour.work")
        #expect(neighbour.status == 0, "\(neighbour.output)\(neighbour.error)")
        try site.letGo(Self.acts.map(\.app))
        for launch in launches { _ = launch.end() }
        #expect(try site.lull("status").status == 0)
        site.host.send(SIGTERM)
        #expect(site.host.end() == 0)
        #expect(try site.left() == "")
        let history = try site.history()
        for act in Self.acts {
            let lines = history[act.app] ?? []
            #expect(lines.contains { $0.contains(act.says) }, "\(act.task): \(lines)")
        }
        let run = try #require(
            history["com.example.Escapes"]?.compactMap { $0.firstMatch(of: /run=(\d+)/)?.1 }.first)
        let shown =
            try site.lull("history", String(run)).output + site.lull("history").output + site.host.said
        #expect(
            !shown.unicodeScalars.contains {
                $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\u{9B}" || $0 == "\u{202E}"
            })
        // The host shows the app's output line by line, so no line of it looks like the host's own.
        let log = site.host.said
        #expect(!log.contains("\nlull: forged") && !log.contains("\nnow lull: forged"))
    }
}

/// A host on a manifest of attackers and a neighbour.
private final class SiegeSite {
    let workshop: Workshop
    let host: Program
    private let program: String

    init(as identity: String, user: String) throws {
        workshop = try Workshop()
        try workshop.compile("Siege", as: "Siege")
        try workshop.compile("Neighbour", as: "Neighbour")
        let defaults = """
            version: 1
            defaults:
              idle_after: never
              keep_warm: 0s
              time_limit: 1h
              grace: { warning: 1s, kill: 1s }
              retry: { first: 5h, max: 5h }
              requires: { idle: false }

            """
        let named = user.isEmpty ? "" : "    user: \(user)\n"
        var text = defaults + "apps:\n"
        for act in SiegeTests.acts {
            text +=
                "  \(act.app):\n    plugin: Siege\n" + named + (act.keys.isEmpty ? "" : "    \(act.keys)\n")
                + "    settings: { control: \(workshop.state)/control.sock }\n"
                + "    tasks: { \(act.task): { kind: processing } }\n"
        }
        text +=
            "  com.example.Neighbour:\n    plugin: Neighbour\n" + named + "    limits: { descriptors: 256 }\n"
            + "    tasks: { work: { kind: processing } }\n"
        try workshop.write(text, to: "jobs.yaml")
        // Another user may not be able to reach the build's products.
        let own = workshop.folder + "/bin"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for name in ["lull", "lull-worker"] {
            try FileManager.default.copyItem(
                atPath: Workshop.products.appendingPathComponent(name).path, toPath: own + "/" + name)
        }
        program = own + "/lull"
        let run = [
            program, "run", "jobs.yaml", "--state", workshop.state, "--plugins", workshop.folder + "/plugins",
        ]
        if identity.isEmpty {
            host = try Program(run[0], Array(run.dropFirst()), in: workshop.folder)
        } else {
            _ = try Program.run("/bin/chown", ["-R", identity, workshop.folder])
            host = try Program(
                "/usr/bin/env",
                ["setpriv", "--reuid=\(identity)", "--regid=nogroup", "--clear-groups"] + run,
                in: workshop.folder)
        }
        for app in SiegeTests.acts.map(\.app) + ["com.example.Neighbour"] {
            while !host.said.contains("discovered \(app)\n") { try host.readLine() }
        }
    }

    /// Runs a command that gives up if the host does not answer.
    func lull(_ arguments: String...) throws -> Program.Result {
        try Program.run(
            "/usr/bin/env", ["timeout", "600", program] + arguments + ["--state", workshop.state],
            in: workshop.folder)
    }

    /// Waits until each attacker is at work; some can no longer say so.
    func waitUntilHeld() throws {
        let silent: Set = ["stop", "exec", "deaf", "nothing"]
        for act in SiegeTests.acts where !silent.contains(act.task) {
            while !host.said.contains("\(act.app): held"), !host.said.contains("failed \(act.app).") {
                try host.readLine()
            }
        }
    }

    func letGo(_ apps: [String]) throws {
        for app in apps {
            let done = workshop.state + "/apps/\(app)/done"
            #expect(FileManager.default.createFile(atPath: done, contents: nil))
        }
    }

    /// Processes with a worker's mark, or with the name that one has given itself; waits up to ten minutes until there are none.
    func left() throws -> String {
        let mark = "^LULL_WORKER=\(host.process.processIdentifier)[.]"
        let script = """
            for i in $(seq 6000); do
                left=$(grep -l -z -s "\(mark)" /proc/[0-9]*/environ; grep -l -s "^) Z 1 1" /proc/[0-9]*/comm)
                [ -z "$left" ] && break
                sleep 0.1
            done
            echo $left
            """
        return try Program.run("/bin/sh", ["-c", script]).output.trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    /// The events of each app, as "EVENT OUTCOME REASON run=RUN".
    func history() throws -> [String: [String]] {
        var lines: [String: [String]] = [:]
        for line in try lull("history", "--json").output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            let words =
                ["event", "outcome", "reason"].compactMap { object[$0] as? String }
                + [(object["run"] as? Int).map { "run=\($0)" } ?? ""]
            lines[object["app"] as? String ?? "", default: []].append(words.joined(separator: " "))
        }
        return lines
    }
}
