import Foundation
import TestSupport
import Testing

/// `lull check --host`: lists what this machine lacks for a manifest.
struct MachineCheckTests {
    private func workshop(_ app: String) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: Command
                idle_after: never
                user: host
            \(app)
                tasks:
                  t: { kind: processing, repeat: 1d, settings: { run: "true" } }

            """, to: "jobs.yaml")
        // Another machine's files, of which inotify has this much.
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/proc/sys/fs/inotify", withIntermediateDirectories: true)
        try workshop.write("100\n", to: "proc/sys/fs/inotify/max_user_instances")
        try workshop.write("100000\n", to: "proc/sys/fs/inotify/max_user_watches")
        return workshop
    }

    private func check(_ workshop: Workshop, _ more: String...) throws -> Program.Result {
        try workshop.lull(["check", "--host", "--no-plugins", "--procfs", workshop.folder + "/proc"] + more)
    }

    @Test func `what the machine has is listed, and what the manifest does not use is no error`() throws {
        let workshop = try workshop("")
        let result = try check(workshop)
        #expect(result.status == 0, "\(result)")
        for subject in ["THIS MACHINE", "user", "confinement", "control groups", "state", "open files"] {
            #expect(result.output.contains(subject), "\(subject) in \(result.output)")
        }
        #expect(!result.output.contains("libpq") && result.output.contains("is right: 1 app"))
        #expect(!(try workshop.lull("check", "--no-plugins").output.contains("THIS MACHINE")))
    }

    @Test func `too few watches for accesses are an error with the command that raises them`() throws {
        let workshop = try workshop("    usage: [{ access: /tmp }]")
        #expect(try check(workshop).status == 0)
        try workshop.write("8\n", to: "proc/sys/fs/inotify/max_user_watches")
        let result = try check(workshop)
        #expect(result.status == 1, "\(result)")
        #expect(result.output.contains("inotify watches  error"), "\(result.output)")
        #expect(result.output.contains("fs.inotify.max_user_watches="))
        #expect(result.error.contains("is right, but this machine can't run all of it: see inotify watches."))
    }

    @Test func `a program of Lull's that is not there is an error for who transfers`() throws {
        let workshop = try workshop("    transfers: {}")
        let arguments = [
            "LULL_WORKER=\(workshop.folder)/lull-worker",
            Workshop.products.appendingPathComponent("lull").path, "check", "--host", "--no-plugins",
            "--json",
            "--state", workshop.state, "--plugins", workshop.folder + "/plugins", "jobs.yaml",
        ]
        let result = try Program.run("/usr/bin/env", arguments, in: workshop.folder)
        #expect(result.status == 1, "\(result)")
        let answer = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result)")
        let machine = try #require(answer["machine"] as? [[String: String]])
        let transfer = try #require(machine.first { $0["subject"] == "lull-transfer" })
        #expect(transfer["severity"] == "error")
        #expect(transfer["message"]?.contains("Install it beside lull-worker.") == true)
    }

    @Test func `what can't be told anything from here is an error for the host, and else a warning`() throws {
        let workshop = try workshop("    notify: [{ command: [no-such-program-of-lull] }]")
        let plain = try workshop.lull("check", "--no-plugins")
        #expect(
            plain.status == 0 && plain.error.contains("warning: command no-such-program-of-lull"), "\(plain)")
        let host = try check(workshop)
        #expect(host.status == 1 && host.error.contains("error: command no-such-program-of-lull"), "\(host)")
    }

    @Test func `of a manifest that can't be read nothing is listed`() throws {
        let workshop = try workshop("")
        try workshop.write("version: 1\napps: [\n", to: "jobs.yaml")
        let result = try check(workshop)
        #expect(result.status == 1 && result.output.isEmpty, "\(result)")
        #expect(result.error.contains("A host refuses it as it is."))
        let missing = try check(workshop, "nosuch.yaml")
        #expect(missing.status == 1 && missing.output.isEmpty && missing.error.contains("nosuch.yaml"))
    }
}
