import Foundation
import Glibc
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// Files that SQLite would follow, wait for or discard, in place of the history's.
struct OddFileTests {
    private func expectRefusal(_ folder: String, _ words: String) {
        for mode in [SQLiteHistory.Mode.readOnly, .readWrite] {
            let error = #expect(throws: HistoryError.self) {
                _ = try SQLiteHistory.open(folder: folder, mode: mode)
            }
            #expect(error?.message.contains(words) == true, "\(mode): \(error?.message ?? "")")
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a pipe, a folder, a link or a socket is refused at once`(suffix: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/history.sqlite" + suffix
        #expect(mkfifo(path, 0o600) == 0)
        expectRefusal(folder.path, "this is a named pipe")
        unlink(path)
        #expect(mkdir(path, 0o700) == 0)
        expectRefusal(folder.path, "this is a folder")
        rmdir(path)
        #expect(symlink("/dev/null", path) == 0)
        expectRefusal(folder.path, "this is a link")
        unlink(path)
    }

    /// The files as a killed host leaves them: the last commits are in the WAL alone.
    private func cutOff(_ folder: String, events: Int) throws {
        let live = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: live.path, mode: .readWrite)
        try history.append(HistoryBatch(events: try Sample.uses(0..<events)))
        for suffix in ["", "-wal"] {
            let name = "/history.sqlite" + suffix
            try Data(contentsOf: URL(fileURLWithPath: live.path + name))
                .write(to: URL(fileURLWithPath: folder + name))
        }
        try history.close()
    }

    @Test(arguments: [true, false])
    func `an empty or missing database does not take the WAL with it`(isThere: Bool) throws {
        let folder = try TemporaryFolder()
        try cutOff(folder.path, events: 40)
        let path = folder.path + "/history.sqlite"
        if isThere { #expect(truncate(path, 0) == 0) } else { #expect(unlink(path) == 0) }
        expectRefusal(folder.path, isThere ? "it is empty, but the WAL" : "it is gone, but the WAL")
        let (history, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        let salvage = try #require(report)
        #expect(salvage.events == 40)
        #expect(FileManager.default.fileExists(atPath: salvage.movedTo + "-wal"))
        #expect(try history.events() == Sample.uses(0..<40))
    }

    @Test func `a WAL that is damaged as well is kept aside`() throws {
        let folder = try TemporaryFolder()
        try cutOff(folder.path, events: 5)
        let path = folder.path + "/history.sqlite"
        #expect(truncate(path, 0) == 0)
        try Data(repeating: 0xA5, count: 5000).write(to: URL(fileURLWithPath: path + "-wal"))
        let (history, report) = try SQLiteHistory.openSalvaging(folder: folder.path, at: Sample.start)
        let salvage = try #require(report)
        #expect(salvage.events == 0)
        #expect(FileManager.default.fileExists(atPath: salvage.movedTo + "-wal"))
        #expect(try history.events().isEmpty)
    }
}
