import Foundation
import LullHistory
import LullModel
import Synchronization
import TestSupport
import Testing

@Suite struct `A state lock` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `is held by one at a time, who is named`() throws {
        let lock = try StateLock.take(folder: folder.path, at: Sample.start)
        let holder = StateLock.Holder(pid: getpid(), since: Sample.start)
        #expect(throws: HistoryError.held(folder: folder.path, holder: holder)) {
            try StateLock.take(folder: folder.path, at: Sample.start)
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `is given back when it is let go`() throws {
        do {
            let lock = try StateLock.take(folder: folder.path, at: Sample.start)
            withExtendedLifetime(lock) {}
        }
        _ = try StateLock.take(folder: folder.path, at: Sample.start)
    }

    @Test func `is refused without a name when its file says nothing`() throws {
        let lock = try StateLock.take(folder: folder.path, at: Sample.start)
        try Data("?".utf8).write(to: URL(fileURLWithPath: folder.path + "/lock"), options: [])
        #expect(throws: HistoryError.held(folder: folder.path, holder: nil)) {
            try StateLock.take(folder: folder.path, at: Sample.start)
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `makes the folder it locks`() throws {
        let path = folder.path + "/state/lull"
        _ = try StateLock.take(folder: path, at: Sample.start)
        #expect(FileManager.default.fileExists(atPath: path + "/lock"))
    }

    @Test func `is not inherited by workers`() throws {
        let lock = try StateLock.take(folder: folder.path, at: Sample.start)
        let path = folder.path + "/lock"
        let held = try Self.descriptors(of: path)
        #expect(held.count == 1)
        for descriptor in held { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
        withExtendedLifetime(lock) {}
    }

    /// This process's open descriptors of a file.
    private static func descriptors(of path: String) throws -> [Int32] {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        return all.filter { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)")
            return target.map { $0.hasSuffix(String(path.suffix(60))) } == true
        }
    }

    @Test func `of a command that writes a few lines is waited for`() throws {
        let folder = try TemporaryFolder()
        let brief = try StateLock.take(folder: folder.path, at: Sample.start, isBrief: true)
        let path = folder.path
        let ended = DispatchSemaphore(value: 0)
        let isTaken = Mutex(false)
        Thread {
            let lock = try? StateLock.take(folder: path, at: Sample.start)
            isTaken.withLock { $0 = lock != nil }
            ended.signal()
        }.start()
        // A thread that tries to take the lock has its file open; one that does not wait ends here.
        var hasEnded = false
        while !hasEnded, try Self.descriptors(of: path + "/lock").count < 2 {
            hasEnded = ended.wait(timeout: .now()) == .success
            sched_yield()
        }
        #expect(!hasEnded)
        withExtendedLifetime(brief) {}
        _ = consume brief
        #expect(hasEnded || ended.wait(timeout: .now() + .seconds(20)) == .success)
        #expect(isTaken.withLock { $0 })
    }
}
