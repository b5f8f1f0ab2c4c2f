import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullCommands
@testable import LullManifest

/// The faults of a command that `lull check` finds on this machine.
struct ClaimLookTests {
    private func doubts(
        _ text: String, _ format: SettingsShape.Format = .command, _ settings: [String: JSONValue] = [:],
        in folder: String = "/nonexistent"
    ) -> [ClaimLook.Doubt] {
        ClaimLook(settings: .object(settings), programPath: "/usr/bin:/bin", startFolders: [folder])
            .doubts(of: SettingClaim(path: ["run"], format: format, text: text))
    }

    @Test(arguments: [
        ("/bin/sh", "echo 'open", "unterminated quoted string"),
        ("/bin/sh", "for x in a; do ls", "end of file"),
        ("/bin/bash", "ls |", "syntax error"), ("/bin/sh", "a <(b)", "syntax error"),
    ])
    func `a line that its shell can't read is an error`(shell: String, line: String, words: String) throws {
        let doubt = try #require(doubts(line, .command, ["shell": .string(shell)]).first)
        #expect(doubt.isError && doubt.message.hasPrefix("\(shell) can't read this line: "))
        #expect(doubt.message.lowercased().contains(words), "\(doubt.message)")
    }

    @Test(arguments: [
        ("/bin/bash", "true <(true)"), ("/bin/sh", "true; true | true"), ("/opt/odd/sh", "echo 'open"),
        ("/usr/bin/python3", "echo 'open"),
    ])
    func `a line that its shell reads is none, and a stranger's shell is not asked`(
        shell: String, line: String
    ) {
        #expect(doubts(line, .command, ["shell": .string(shell)]).filter(\.isError) == [])
    }

    @Test func `nothing of a line is run`() throws {
        let folder = try TemporaryFolder()
        #expect(
            doubts("touch \(folder.path)/made; echo $(touch \(folder.path)/made)").filter(\.isError) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `what an app's own account may not read is named with its place`() throws {
        let folder = try TemporaryFolder()
        let (file, inner) = (folder.path + "/password", folder.path + "/inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        func made(_ path: String, _ mode: Int) {
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            chmod(path, mode_t(mode))
        }
        made(file, 0o600)
        made(inner + "/run.sh", 0o755)
        made(folder.path + "/run.sh", 0o744)
        chmod(folder.path, 0o755)
        chmod(inner, 0o750)
        func found(_ format: SettingsShape.Format, _ path: String, isOwn: Bool = true) -> [String] {
            ClaimLook(settings: .object([:]), programPath: nil, startFolders: [], hasOwnAccount: isOwn)
                .doubts(of: SettingClaim(path: ["run"], format: format, text: path)).map(\.message)
        }
        let start = "the account of its own that the app runs as may not "
        #expect(found(.path, file).first?.hasPrefix(start) == true)
        #expect(found(.path, inner + "/run.sh").first?.contains("which '\(inner)/run.sh' is in") == true)
        #expect(found(.program, folder.path + "/run.sh").first?.hasPrefix(start) == true)
        #expect(found(.command, "sh \(file)").first?.hasPrefix(start) == true)
        #expect(found(.path, file, isOwn: false) == [])
        #expect(found(.path, "/etc/passwd") == [] && found(.program, "/bin/sh") == [])
    }

    @Test func `a list of one item that is a line says how to write it`() {
        let found = doubts("sort -r /etc/passwd", .program)
        #expect(
            found.map(\.fix) == ["write `[sort, -r, /etc/passwd]`, or the line as text and not as a list"])
    }

    @Test(arguments: [
        ("$HOME", SettingsShape.Format.folder, "write `\"~\"` for the home folder"),
        ("${HOME}/x", .folder, "write `\"~\"`"), ("/srv/$NAME/x", .folder, "write the path in full"),
        ("$HOME/x", .path, "write the path in full"),
    ])
    func `a variable in a path is named, for nothing expands it`(
        path: String, format: SettingsShape.Format, fix: String
    ) {
        #expect(doubts(path, format).first?.fix.hasPrefix(fix) == true)
    }

    @Test func `a program beside the manifest is looked for there, and one that is nowhere is named`() throws
    {
        let folder = try TemporaryFolder()
        try folder.file("there.sh", "#!/bin/sh\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/there.sh")
        #expect(doubts("./there.sh", in: folder.path) == [])
        #expect(doubts("./gone.sh --all", in: folder.path).map(\.program) == ["./gone.sh"])
        // The working folder is known, so the program is looked up in it.
        #expect(
            doubts("./gone.sh", .command, ["cwd": .string(folder.path)]).map(\.message) == [
                "there is no program '\(folder.path)/./gone.sh'"
            ])
        #expect(doubts("./gone.sh", .command, ["cwd": "~"]) == [])
    }

    @Test func `what is written goes into a folder that is there`() throws {
        let folder = try TemporaryFolder()
        #expect(doubts("true >> \(folder.path)/log 2>&1") == [])
        #expect(
            doubts("true > \(folder.path)/none/log").map(\.message) == [
                "there is no folder '\(folder.path)/none'"
            ])
        #expect(doubts("mkdir -p \(folder.path)/none && true > \(folder.path)/none/log") == [])
        #expect(
            doubts("true < \(folder.path)/none").map(\.message) == ["there is no file '\(folder.path)/none'"])
    }
}
