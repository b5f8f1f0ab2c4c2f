import Foundation
import LullModel
import Testing

@testable import LullUsage

/// Logins, accesses and the journal.
struct OtherSourceTests {
    @Test func `a login is a use when it is written down`() throws {
        let folder = try FollowedFolder()
        folder.roots.logins = folder.path + "/wtmp"
        try folder.follow([.login(user: "me")])
        #expect(folder.faults == [.noLogins(path: folder.path + "/wtmp")])
        let now = Int32(UsageTimeTests.reference.seconds)
        folder.write(LoginReaderTests.record("me", at: now - 7200), to: "wtmp")
        folder.wait(forUses: 1)
        folder.write(
            LoginReaderTests.record("you", at: now - 5400) + LoginReaderTests.record("me", at: now - 3600),
            to: "wtmp")
        folder.wait(forUses: 2)
        #expect(folder.hours == [2, 1])
    }

    @Test func `opening a file or a folder's entry is a use, but for what the app's own tasks do`() throws {
        let folder = try FollowedFolder()
        folder.write("a", to: "file")
        try folder.follow([.access(path: folder.path + "/file")])
        folder.isAtWork = true
        _ = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/file"))
        // The loop gets the event while the app is at work: a log beside it shows when.
        folder.follow(again: [.access(path: folder.path + "/file"), folder.log()])
        folder.write(FollowedFolder.line(9))
        folder.wait(forUses: 1)
        #expect(folder.hours == [9])
        folder.isAtWork = false
        _ = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/file"))
        folder.wait(forUses: 2)
        #expect(folder.hours == [9, 0])
    }

    @Test func `an access is waited for where there is nothing yet`() throws {
        let folder = try FollowedFolder()
        try folder.follow([.access(path: folder.path + "/papers")])
        try FileManager.default.createDirectory(
            atPath: folder.path + "/papers", withIntermediateDirectories: true)
        // Opening the folder itself is no use; opening a file in it is.
        folder.follow(again: [.access(path: folder.path + "/papers"), folder.log()])
        folder.write(FollowedFolder.line(9))
        folder.wait(forUses: 1)
        folder.write("a", to: "papers/letter")
        folder.wait(forUses: 2)
        #expect(folder.hours == [9, 0])
        #expect(folder.faults == [])
    }

    /// A substitute for journalctl: prints these lines, then runs `end`.
    private func journal(_ folder: FollowedFolder, prints lines: [String], then end: String) throws {
        let path = folder.path + "/journalctl"
        let script =
            "#!/bin/sh\necho \"$@\" >> \(folder.path)/asked\ncat <<'END'\n\(lines.joined(separator: "\n"))\nEND\n\(end)\n"
        try script.write(toFile: path + ".text", atomically: true, encoding: .utf8)
        #expect(chmod(path + ".text", 0o755) == 0)
        // A child of another test may still hold this file open for writing, which prevents its execution. So `cp` copies it.
        let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [path + ".text", path])
        copy.waitUntilExit()
        #expect(copy.terminationStatus == 0)
        folder.roots.journalctl = path
    }

    private func entry(_ cursor: String, _ hoursAgo: Int64, _ message: String) -> String {
        let microseconds = (UsageTimeTests.reference.seconds - hoursAgo * 3600) * 1_000_000
        return #"{"__CURSOR":"\#(cursor)","__REALTIME_TIMESTAMP":"\#(microseconds)","MESSAGE":\#(message)}"#
    }

    private func asked(_ folder: FollowedFolder) throws -> [String] {
        try String(contentsOfFile: folder.path + "/asked", encoding: .utf8).split(separator: "\n").map(
            String.init)
    }

    @Test func `messages of a unit are uses, and reading goes on behind the last`() throws {
        let folder = try FollowedFolder()
        #expect(mkfifo(folder.path + "/more", 0o600) == 0)
        let lines = [
            entry("a", 9, #""opened by me""#), "no JSON",
            entry("b", 8, "[111, 112, 101, 110, 101, 100, 255]"),
            entry("c", 7, "null"), entry("d", 6, #""closed""#),
        ]
        try journal(folder, prints: lines, then: "exec cat \(folder.path)/more")
        let source = UsageSource.journal(unit: "feed.service", match: "opened")
        try folder.follow([source])
        folder.wait(forUses: 2)
        #expect(folder.hours == [9, 8])
        // Opened for reading too, so that opening does not block.
        let pipe = try #require(FileHandle(forUpdatingAtPath: folder.path + "/more"))
        pipe.write(Data((entry("e", 5, #""opened again""#) + "\n").utf8))
        folder.wait(forUses: 3)
        try folder.follow([source])
        pipe.write(Data((entry("f", 4, #""opened again""#) + "\n").utf8))
        folder.wait(forUses: 4)
        let since = UsageTimeTests.reference.seconds - 112 * 86_400
        let options =
            "--output=json --output-fields=MESSAGE --all --quiet --no-pager --unit=feed.service --follow --no-tail"
        let all = try asked(folder)
        #expect(all.first == "\(options) --since=@\(since)")
        #expect(all.count == 2)
        #expect(all.last == "\(options) --after-cursor=e")
        #expect(folder.hours == [9, 8, 5, 4])
        #expect(folder.faults == [])
        withExtendedLifetime(pipe) {}
    }

    @Test func `without a loop the journal is read to its end, and then on from its cursor`() throws {
        let folder = try FollowedFolder()
        try journal(folder, prints: [entry("a", 9, #""opened""#), entry("b", 8, #""opened""#)], then: "")
        let source = UsageSource.journal(unit: "feed", match: nil)
        try folder.follow([source], once: true)
        #expect(folder.hours == [9, 8])
        try folder.follow([source], once: true)
        #expect(folder.hours == [9, 8])
        #expect(try asked(folder)[1].hasSuffix("--unit=feed --after-cursor=b"))
        #expect(folder.faults == [])
    }

    @Test func `a journal that can't be read is said, with its words, and the other sources go on`() throws {
        let folder = try FollowedFolder()
        folder.write(FollowedFolder.line(9))
        let source = UsageSource.journal(unit: "feed", match: nil)
        try folder.follow([source, folder.log()])
        #expect(folder.faults == [.noJournal(unit: "feed")])
        #expect(folder.hours == [9])
        try journal(folder, prints: [], then: "echo 'No journal files were opened.' >&2; exit 1")
        try folder.follow([source, folder.log()])
        folder.wait { folder.faults.count == 2 }
        #expect(folder.faults.last == .journalEnded(unit: "feed", words: "No journal files were opened."))
        folder.write(FollowedFolder.line(8))
        folder.wait(forUses: 2)
    }

    @Test func `each fault says what it is and what to do`() throws {
        let app = try #require(FollowedFolder.app)
        let faults: [UsageFault] = [
            .unreadable(path: "/var/log/a", code: EACCES), .notAFile(path: "/var/log/a"),
            .unwatchable(path: "/var/log/a", code: ENOSPC), .unwatchable(path: "/var/log/a", code: EACCES),
            .rotatedAway(path: "/var/log/a"), .linesTooLong(path: "/var/log/a"),
            .linesWithoutTime(path: "/var/log/a", app: app), .noLogins(path: "/var/log/wtmp"),
            .noJournal(unit: "feed"), .journalEnded(unit: "feed", words: "No such unit."),
            .fromTheFuture(app),
            .positions(path: "/state/usage.positions", code: ENOSPC),
        ]
        for fault in faults {
            #expect(fault.message.hasSuffix("."), "\(fault.message)")
            #expect(fault.fix.hasSuffix("."), "\(fault.fix)")
        }
        #expect(
            faults[0].message
                == "/var/log/a can't be read (Permission denied): Lull learns no uses from it.")
        #expect(faults[2].fix == "Raise `sysctl fs.inotify.max_user_watches`.")
    }
}
