import Foundation
import TestSupport
import Testing

/// The manifest is edited during runs of the app: later launches follow the new text.
struct EditInForceTests {
    @Test func `an edit holds for what is launched next, whatever else of its app runs`() throws {
        let trial = try EditTrial(tasks: ["hold: HOLD", "say: 'echo OLD'"])
        try trial.hold("hold")
        #expect(try trial.lull("launch", "com.example.App.say").status == 0)
        try trial.edit(tasks: ["hold: HOLD", "say: 'echo NEW'", "added: 'echo ADDED'"])

        // Lull says of a run under way that it still uses the old manifest.
        let words = "Run 1 of com.example.App.hold still uses the old manifest"
        let diff = try trial.lull("diff")
        #expect(diff.status == 0 && diff.output.contains(words), "\(diff.output)\(diff.error)")
        #expect(try trial.lull("diff", "--json").output.contains("\"is_outdated\" : true"))
        let why = try trial.lull("why", "com.example.App.hold").output
        #expect(why.split(separator: "\n").joined(separator: " ").contains(words), "\(why)")
        #expect(try trial.lull("status", "--json").output.contains("\"outdated_runs\" : ["))

        for task in ["say", "added"] {
            let launch = try trial.lull("launch", "com.example.App.\(task)")
            #expect(launch.status == 0, "\(launch.output)\(launch.error)")
        }
        let runs = try (1...4).map { try trial.lull("history", "--run", "\($0)").output }
        #expect(runs[1].contains("OLD") && runs[2].contains("NEW") && runs[3].contains("ADDED"))
        let manifests = runs.map(EditTrial.manifest)
        #expect(manifests[0] == manifests[1] && manifests[2] == manifests[3])
        #expect(manifests[0] != nil && manifests[1] != manifests[2], "\(manifests)")

        try trial.release("hold", run: 1)
        let after = try trial.lull("diff")
        #expect(after.status == 0 && !after.output.contains("goes on"), "\(after.output)")
        try trial.end()
    }

    @Test func `of two runs of a task each runs as its edit says`() throws {
        let trial = try EditTrial(tasks: ["say: 'echo OLD; HOLD'"], more: "concurrency: 2,")
        try trial.hold("say")
        try trial.edit(tasks: ["say: 'echo NEW; HOLD'"], more: "concurrency: 2,")
        try trial.hold("say")
        try trial.release("say", run: 1, 2)
        let runs = try (1...2).map { try trial.lull("history", "--run", "\($0)").output }
        let printed = runs.map(EditTrial.printed)
        #expect(printed[0].contains("OLD") && !printed[0].contains("NEW"), "\(runs[0])")
        #expect(printed[1].contains("NEW") && !printed[1].contains("OLD"), "\(runs[1])")
        // The manifest no longer has the command of the first run, and the history keeps no commands.
        #expect(
            runs[0].contains("\nRuns now echo NEW; ") && runs[1].contains("\nRuns     echo NEW; "), "\(runs)")
        #expect(EditTrial.manifest(in: runs[0]) != EditTrial.manifest(in: runs[1]))
        try trial.end()
    }

    @Test func `a task that runs is not launched beside itself, edit or no edit`() throws {
        let trial = try EditTrial(tasks: ["say: 'HOLD; echo OLD'"])
        try trial.hold("say")
        try trial.edit(tasks: ["say: 'echo NEW'"])
        let refused = try trial.lull("launch", "com.example.App.say")
        #expect(refused.status == 1, "\(refused.output)")
        #expect(try trial.lull("submit", "com.example.App.say").status == 0)
        #expect(try trial.lull("why", "com.example.App.say").output.contains("run 1"))
        try trial.release("say", run: 1)
        try trial.host.waitForLine(containing: "completed com.example.App.say run=2")
        #expect(try trial.lull("history", "--run", "2").output.contains("NEW"))
        try trial.end()
    }

    @Test func `limits that are changed hold for the next run, and not for the one under way`() throws {
        let tasks = ["hold: 'HOLD; ulimit -n'", "say: 'ulimit -n'"]
        let trial = try EditTrial(tasks: tasks, limits: "descriptors: 200")
        try trial.hold("hold")
        try trial.edit(tasks: tasks, limits: "descriptors: 100")
        #expect(try trial.lull("launch", "com.example.App.say").status == 0)
        try trial.release("hold", run: 1)
        let runs = try (1...2).map { try trial.lull("history", "--run", "\($0)").output }
        #expect(EditTrial.printed(in: runs[0]).contains("200"), "\(runs[0])")
        #expect(EditTrial.printed(in: runs[1]).contains("100"), "\(runs[1])")
        try trial.end()
    }

    @Test(arguments: ["mv", "cp", "cp over half of it"])
    func `a plugin that was built anew is what the next launch runs, and nobody has to say so`(way: String)
        throws
    {
        let workshop = try Workshop()
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: Version
                idle_after: never
                tasks: { say: { kind: processing } }

            """, to: "jobs.yaml")
        let plugin = workshop.folder + "/plugins/libVersion.so"
        try workshop.compile("Version", as: "Version", defining: ["VERSION=\"one\""])
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("launch", "com.example.App.say").status == 0)
        try workshop.compile("Version", as: "New", defining: ["VERSION=\"two\""])
        let new = workshop.folder + "/plugins/libNew.so"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: new))
        func write(_ bytes: Data) throws {
            let file = try #require(FileHandle(forWritingAtPath: plugin))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: bytes)
            try file.close()
        }
        if way == "mv" {
            try #require(rename(new, plugin) == 0)
        } else {
            if way != "cp" {
                try write(bytes.prefix(bytes.count / 2))
                let early = try workshop.lull("launch", "com.example.App.say")
                #expect(
                    early.status == 1 && early.error.contains("cut short"), "\(early.output)\(early.error)")
            }
            try write(bytes)
        }
        let launch = try workshop.lull("launch", "com.example.App.say")
        #expect(launch.status == 0, "\(launch.output)\(launch.error)")
        #expect(try workshop.lull("history", "--run", "1").output.contains("this is build one"))
        #expect(try workshop.lull("history", "--run", "2").output.contains("this is build two"))
        #expect(!(try workshop.lull("history", "--json").output.contains("\"violation\"")))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a plugin that is replaced is what the next run loads`() throws {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      wait: { kind: processing, requires: { idle: false } }
                      succeed: { kind: processing, requires: { idle: false } }

                """)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("submit", "com.example.App.wait").status == 0)
        try host.waitForLine(containing: "launched com.example.App.wait")
        // As an upgrade does: another file replaces it, here of another build.
        try workshop.compile("Tasks", as: "New")
        try #require(
            rename(workshop.folder + "/plugins/libNew.so", workshop.folder + "/plugins/libTasks.so") == 0)
        host.send(SIGHUP)
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        let runs = try workshop.lull("diff")
        #expect(
            runs.output.contains("Run 1 of com.example.App.wait still uses the old manifest"),
            "\(runs.output)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `the death of an old worker leaves the run of the new one alone`() throws {
        let trial = try EditTrial(tasks: ["hold: 'echo $PPID > PID; HOLD'", "say: 'echo OLD'"])
        try trial.hold("hold")
        let worker = try trial.pid()
        try trial.edit(tasks: ["hold: HOLD", "say: 'echo $PPID > PID; HOLD; echo NEW'"])
        try trial.hold("say")
        #expect(try trial.pid() != worker)
        #expect(kill(worker, SIGKILL) == 0)
        let line = try trial.host.waitForLine(containing: "failed com.example.App.hold")
        #expect(line.contains("run=1"), "\(line)")
        try trial.release("say", run: 2)
        #expect(try trial.lull("history", "--run", "2").output.contains("NEW"))
        try trial.end()
    }
}

/// A host whose app runs command lines; HOLD in one waits until the test releases it.
private final class EditTrial {
    let workshop: Workshop
    let host: Program
    private let gate: Int32
    private let numbers: Int32

    init(tasks: [String], more: String = "", limits: String = "") throws {
        workshop = try Workshop()
        gate = try Self.fifo(workshop.folder + "/gate")
        numbers = try Self.fifo(workshop.folder + "/numbers")
        try workshop.write(Self.text(tasks, more, limits, workshop.folder), to: "jobs.yaml")
        host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
    }

    deinit {
        close(gate)
        close(numbers)
    }

    /// Opened for reading and writing, so that opening does not block.
    private static func fifo(_ path: String) throws -> Int32 {
        try #require(mkfifo(path, 0o666) == 0)
        chmod(path, 0o666)
        return open(path, O_RDWR | O_CLOEXEC)
    }

    private static func text(_ tasks: [String], _ more: String, _ limits: String, _ folder: String) -> String
    {
        let lines = tasks.map { task -> String in
            let parts = task.split(separator: ":", maxSplits: 1)
            let command = parts[1].drop { $0 == " " }
                .replacingOccurrences(of: "HOLD", with: "head -c 1 \(folder)/gate")
                .replacingOccurrences(of: "PID", with: "\(folder)/numbers")
                .replacingOccurrences(of: "$P\(folder)/numbers", with: "$PPID")
            return
                "      \(parts[0]): { kind: processing, time_limit: 5m, requires: { idle: false }, \(more) "
                + "settings: { run: \(command) } }"
        }
        return """
            version: 1
            apps:
              com.example.App:
                plugin: \(Workshop.shipped("Command"))
                idle_after: never
                \(limits.isEmpty ? "" : "limits: { \(limits) }")
                tasks:

            """ + lines.joined(separator: "\n") + "\n"
    }

    func lull(_ arguments: String...) throws -> Program.Result { try workshop.lull(arguments) }

    /// Returns once the host has put the new manifest in force.
    func edit(tasks: [String], more: String = "", limits: String = "") throws {
        try workshop.write(Self.text(tasks, more, limits, workshop.folder), to: "jobs.yaml")
        try host.waitForLine(containing: "jobs.yaml is in force")
    }

    /// Launches a task that waits.
    func hold(_ task: String) throws {
        #expect(try lull("submit", "com.example.App.\(task)").status == 0)
        try host.waitForLine(containing: "launched com.example.App.\(task)")
    }

    /// Releases this many runs, and waits for their ends.
    func release(_ task: String, run runs: Int...) throws {
        let bytes = [UInt8](repeating: 10, count: runs.count)
        #expect(write(gate, bytes, bytes.count) == bytes.count)
        for _ in runs { try host.waitForLine(containing: "completed com.example.App.\(task)") }
    }

    /// The number that a command has written to PID.
    func pid() throws -> Int32 {
        var readable = pollfd(fd: numbers, events: Int16(POLLIN), revents: 0)
        try #require(poll(&readable, 1, Int32(hangLimit / .milliseconds(1))) == 1, "the command never began")
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(numbers, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// The output of a run; the rest of its account has paths and sizes, which may contain any number.
    static func printed(in account: String) -> String {
        account.components(separatedBy: "\nOutput:\n").last ?? ""
    }

    /// The hash of the manifest that a run used, from the run's account.
    static func manifest(in account: String) -> Substring? {
        account.split(separator: "\n").first { $0.contains("(manifest ") }?
            .split(separator: "(manifest ").last?.prefix { $0 != ")" }
    }

    func end() throws {
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
