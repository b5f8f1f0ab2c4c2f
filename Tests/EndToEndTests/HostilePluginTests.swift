import Foundation
import TestSupport
import Testing

/// Every hostile act against one real host at once, beside a neighbour whose run goes on throughout.
///
/// The host lives, the neighbour's run completes, no process and no descriptor is left, and the history names each cause.
struct HostilePluginTests {
    @Test func `as apps are by default, what they do costs them alone`() throws {
        let bench = try HostileBench(HostileAct.ofHandlers + HostileAct.ofPhases)
        try bench.run()
        #expect(
            bench.host.said.contains(
                "com.example.Registers: It tries to register 'com.example.Neighbour.work', which jobs.yaml does not"
            ))
        #expect(!bench.host.said.contains("it was registered"))
    }

    @Test func `with all privileges kept, what they do costs them alone`() throws {
        let acts = HostileAct.ofHandlers.filter { !$0.needsConfinement }
        try HostileBench(acts, limits: "{ write: all, privileges: keep }").run()
    }

    @Test func `a host that is killed by an app with all privileges comes back and says so`() throws {
        let act = try #require(HostileAct.ofHandlers.first { $0.task == "kill" })
        let bench = try HostileBench([act], limits: "{ write: all, privileges: keep }")
        try bench.launchNeighbour()
        _ = try bench.workshop.lull("launch", act.app + ".kill")
        #expect(bench.host.end() == -SIGKILL)
        let next = try bench.workshop.start("run", "jobs.yaml")
        try next.waitForLine(containing: "interrupted com.example.Neighbour.work")
        next.send(SIGTERM)
        #expect(next.end() == 0)
    }
}

/// A running host with a manifest of hostile apps and one good app.
private final class HostileBench {
    let workshop: Workshop
    let host: Program
    private let acts: [HostileAct]

    init(_ acts: [HostileAct], limits: String? = nil) throws {
        self.acts = acts
        workshop = try Workshop()
        try workshop.compile("Neighbour", as: "Neighbour")
        try workshop.compile("Hostile", as: "Hostile")
        for act in acts where act.plugin == "BadEntry" || !act.defines.isEmpty {
            try workshop.compile(
                act.defines.isEmpty ? act.plugin : "Hostile", as: act.plugin, defining: act.defines)
        }
        // An app that needs a limit has a short one; the others end by themselves, however slow the machine is.
        let defaults = """
            version: 1
            defaults:
              idle_after: never
              keep_warm: 0s
              time_limit: 1h
              grace: 10m
              retry: { first: 5h, max: 5h }
              requires: { idle: false }

            """
        var text = defaults + (limits.map { "  limits: \($0)\n" } ?? "") + "apps:\n"
        text += Self.entry("com.example.Neighbour", "Neighbour", "work", "")
        for act in acts { text += Self.entry(act.app, act.plugin, act.task, act.keys) }
        try workshop.write(text, to: "jobs.yaml")
        host = try workshop.start("run", "jobs.yaml")
    }

    private static func entry(_ app: String, _ plugin: String, _ task: String, _ keys: String) -> String {
        "  \(app):\n    plugin: \(plugin)\n" + (keys.isEmpty ? "" : "    \(keys)\n")
            + "    tasks: { \(task): { kind: processing } }\n"
    }

    func launchNeighbour() throws {
        // Discovered or failed: each app has been started once.
        for act in acts { try waitForEither("discovered \(act.app)", "failed \(act.app)") }
        #expect(try workshop.lull("submit", "com.example.Neighbour.work").status == 0)
        try host.waitForLine(containing: "launched com.example.Neighbour.work")
    }

    func run() throws {
        try launchNeighbour()
        let neighbour = try workersLeft()
        let descriptors = try descriptors()
        try launchAll()
        #expect(try workersLeft() == neighbour, "somebody was left, or the neighbour's worker is another")
        #expect(try self.descriptors() == descriptors)
        let done = workshop.state + "/apps/com.example.Neighbour/done"
        #expect(FileManager.default.createFile(atPath: done, contents: nil))
        try host.waitForLine(containing: "completed com.example.Neighbour.work run=1 succeeded")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let history = try history()
        for act in acts {
            for words in act.says {
                let lines = history[act.app] ?? []
                let either = words.split(separator: "|")
                #expect(lines.contains { either.contains(where: $0.contains) }, "\(act.name): \(lines)")
            }
        }
    }

    /// Launches every act at once, and waits for the ends of the runs.
    private func launchAll() throws {
        let launches = try acts.map { try workshop.start("launch", "\($0.app).\($0.task)") }
        for launch in launches {
            _ = launch.end()
            #expect(!launch.said.contains("is not under way"), "\(launch.said)")
        }
    }

    private func waitForEither(_ one: String, _ other: String) throws {
        while !host.said.contains(one + "\n"), !host.said.contains(other) { try host.readLine() }
    }

    /// The supervisor and worker of the neighbour, once the host has no other descendant and no other process is marked: evicted
    /// and killed processes are gone by then. Only root can read the marks of a worker, which nobody may trace.
    private func workersLeft() throws -> String {
        let pid = host.process.processIdentifier
        let script = """
            children() { cat /proc/$1/task/*/children 2>/dev/null; }
            below() { for child in $(children $1); do echo $child; below $child; done; }
            for i in $(seq 6000); do
                supervisors=$(children \(pid))
                workers=$(for supervisor in $supervisors; do children $supervisor; done)
                set -- $supervisors $workers
                marked=$(grep -l -z -s "^LULL_WORKER=\(pid)[.]" /proc/[0-9]*/environ | cut -d / -f 3)
                marked=$( (below \(pid); echo "$marked") | grep . | sort -u)
                [ $# = 2 ] && [ "$(echo $* | tr " " "\\n" | sort)" = "$marked" ] && break
                sleep 0.1
            done
            echo $* : $marked
            """
        let left = try Program.run("/bin/sh", ["-c", script]).output
        let pattern = /(\d+) (\d+) : (\d+) (\d+)\n/
        #expect(
            left.wholeMatch(of: pattern).map { Set([$0.1, $0.2]) == Set([$0.3, $0.4]) } == true,
            "left: \(left)")
        return left
    }

    private func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.process.processIdentifier)/fd")
            .count
    }

    /// The events of each app, as "EVENT OUTCOME REASON".
    private func history() throws -> [String: [String]] {
        var lines: [String: [String]] = [:]
        for line in try workshop.lull("history", "--json").output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            let words = ["event", "outcome", "reason"].compactMap { object[$0] as? String }
            lines[object["app"] as? String ?? "", default: []].append(words.joined(separator: " "))
        }
        return lines
    }
}
