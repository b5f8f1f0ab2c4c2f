import Foundation
import Glibc
import TestSupport
import Testing

@testable import LullHistory

/// The process that keeps the writer waiting is found, and no other is suspected.
struct LockHolderTests {
    /// F_OFD_SETLK, which Glibc's overlay leaves out.
    private static let setLock: Int32 = 37

    /// A lock that belongs to the open file, and conflicts even with this process's own locks.
    private func lock(_ path: String, _ start: Int, _ kind: Int32) throws -> Int32 {
        let file = open(path, O_RDWR | O_CLOEXEC)
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (off_t(start), 1)
        try #require(file >= 0 && fcntl(file, Self.setLock, &lock) == 0)
        return file
    }

    @Test(arguments: [
        ("-shm", 120, F_RDLCK), ("-shm", 120, F_WRLCK), ("-shm", 124, F_WRLCK), ("", 0x4000_0000, F_WRLCK),
    ])
    func `a lock that a commit needs has a holder`(suffix: String, start: Int, kind: Int32) throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: try Sample.uses(0..<1)))
        #expect(LockHolder.find(of: history.path) == nil)
        let file = try lock(history.path + suffix, start, kind)
        let holder = try #require(LockHolder.find(of: history.path))
        #expect(holder.pid == getpid())
        #expect(holder.program?.isEmpty == false)
        #expect(holder.words.hasPrefix("process \(getpid()) ("))
        // The lock is released first, because closing the history waits for it.
        close(file)
        try history.close()
    }

    @Test func `who only reads is no holder`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try history.append(HistoryBatch(events: try Sample.uses(0..<9)))
        let file = try lock(history.path + "-shm", 124, F_RDLCK)
        #expect(LockHolder.find(of: history.path) == nil)
        close(file)
        try history.close()
    }
}
