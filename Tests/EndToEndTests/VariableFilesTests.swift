import Foundation
import TestSupport
import Testing

/// `env_file` of the app Command, through the real executables.
struct VariableFilesTests {
    private func workshop(_ settings: String, limits: String = "{}") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                limits: \(limits)
                tasks:
                  a: { kind: processing, requires: { idle: false }, settings: \(settings) }

            """, to: "jobs.yaml")
        return workshop
    }

    /// Everything that programs and people read about a run, and the host's log.
    private func told(ofRunIn workshop: Workshop) throws -> String {
        try workshop.write(
            try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
                .replacingOccurrences(of: "env_file: [-none", with: "env_file: [-other"), to: "new.yaml")
        var told = ""
        for arguments in [
            ["run", "--once"], ["submit", "org.example.jobs.a"], ["run", "--once"],
            ["history"], ["history", "--json"], ["history", "--run", "1", "--json"],
            ["why", "org.example.jobs.a"], ["why", "org.example.jobs.a", "--json"], ["status", "--json"],
            ["diff", "new.yaml", "--json"], ["diff", "new.yaml", "--against", "jobs.yaml", "--json"],
        ] {
            let result = try workshop.lull(arguments)
            told += result.output + result.error
        }
        return told
    }

    @Test func `a file of variables is read at each run, and its values are told to nobody`() throws {
        let workshop = try workshop("{ run: 'echo has ${#TOKEN}', env_file: [-none, token.env] }")
        try workshop.write("TOKEN=hunter2-one\n", to: "token.env")
        #expect(try workshop.lull("check").status == 0)
        let first = try told(ofRunIn: workshop)
        #expect(first.contains("has 11") && first.contains("token.env"), "\(first)")
        try workshop.write("# rotated\nTOKEN='hunter2-three'\n", to: "token.env")
        let second = try told(ofRunIn: workshop)
        #expect(second.contains("has 13"), "\(second)")
        try workshop.write("TOKEN=\\\nhunter2-four\nhunter2-five\n", to: "token.env")
        let third = try told(ofRunIn: workshop)
        #expect(third.contains("token.env:3: this line is not NAME=VALUE."), "\(third)")
        #expect(!(first + second + third).contains("hunter2"))
    }

    @Test func `where reading is limited, files below etc are read`() throws {
        let workshop = try workshop(
            "{ run: 'echo known${ID:+ly}', env_file: /etc/os-release }",
            limits: "{ read: [\(Workshop.products.path)] }")
        let told = try told(ofRunIn: workshop)
        #expect(told.contains("knownly"), "\(told)")
    }

    @Test(.enabled(if: geteuid() == 0, "only a host that is root has accounts for its apps"))
    func `a file that is closed to the app's account says so`() throws {
        let workshop = try workshop("{ run: 'true', env_file: token.env }")
        try workshop.write("TOKEN=hunter2-one\n", to: "token.env")
        try #require(chmod(workshop.folder + "/token.env", 0o600) == 0)
        let told = try told(ofRunIn: workshop)
        #expect(told.contains("token.env: the app's own account ("), "\(told)")
        #expect(told.contains("can't read the file: Permission denied. Give it to that user, with mode 600"))
        #expect(!told.contains("hunter2"))
    }
}
