import Foundation
import TestSupport
import Testing

/// A folder as the manifest, with the files that packages put there.
struct SeveralFilesTests {
    private func app(_ name: String, _ task: String) -> String {
        """
        version: 1
        apps:
          \(name):
            plugin: Tasks
            idle_after: never
            tasks:
              \(task): { kind: processing, repeat: 1h, requires: { idle: false } }

        """
    }

    @Test func `the apps of all files run, and each error names its file`() throws {
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Tasks")
        for folder in ["etc", "etc/jobs.d"] {
            try FileManager.default.createDirectory(
                atPath: workshop.folder + "/" + folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
        }
        try workshop.write(app("com.example.One", "succeed"), to: "etc/jobs.yaml")
        try workshop.write(app("com.example.Two", "talk"), to: "etc/jobs.d/two.yaml")
        let check = try workshop.lull("check", "etc")
        #expect(check.status == 0, "\(check.error)")
        #expect(check.output.contains("2 apps, 2 tasks"), "\(check.output)")
        let pass = try workshop.lull("run", "--once", "etc")
        #expect(pass.status == 0, "\(pass.error)")
        #expect(pass.output.contains("2 ran, 0 failed"), "\(pass.output)")
        // The host remembers the folder, and `why` names the task's own file.
        let why = try workshop.lull("why", "com.example.Two.talk", "--all")
        #expect(why.output.contains("etc/jobs.d/two.yaml:7"), "\(why.output)\(why.error)")

        try workshop.write(app("com.example.One", "talk"), to: "etc/jobs.d/two.yaml")
        let refused = try workshop.lull("check", "etc")
        #expect(refused.status == 1)
        #expect(refused.error.contains("etc/jobs.d/two.yaml:3:3: error: "), "\(refused.error)")
        #expect(refused.error.contains("etc/jobs.yaml:3"), "\(refused.error)")
    }
}
