import Foundation
import GRDB
import LullModel
import Synchronization
import TestSupport
import Testing

@testable import LullHistory

/// `kill -9` amid writes, in separate processes.
@Suite struct `A host that is killed` {
    @Test func `has lost nothing that was acknowledged`() async throws {
        let result = try await #require(
            processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
        ) {
            let folder = FileManager.default.temporaryDirectory.path + "/lull-history-" + UUID().uuidString
            Self.say("folder \(folder)")
            let writer = HistoryWriter(try SQLiteHistory.open(folder: folder, mode: .readWrite))
            let acknowledged = Mutex(0)
            for minute in 0..<1_000_000 {
                var event = try Sample.use(minute)
                event.reason = String(repeating: "x", count: minute % 500)
                let chunk = Sample.chunk(UInt64(minute % 7), "line \(minute)\n", minute: minute)
                writer.submit(HistoryBatch(events: [event], outputs: [chunk])) { result in
                    guard case .success = result else { return }
                    Self.say("acknowledged \(minute)")
                    // At this moment later submits are queued or under way.
                    if acknowledged.withLock({
                        $0 += 1; return $0
                    }) == 700 {
                        kill(getpid(), SIGKILL)
                    }
                }
                if minute.isMultiple(of: 50) { writer.flush() }
            }
        }
        let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
        let folder = try #require(lines.first { $0.hasPrefix("folder ") }?.dropFirst(7))
        defer { try? FileManager.default.removeItem(atPath: String(folder)) }
        let acknowledged = lines.filter { $0.hasPrefix("acknowledged ") }.compactMap { Int($0.dropFirst(13)) }
        #expect(acknowledged.count == 700)

        let history = try SQLiteHistory.open(folder: String(folder), mode: .readWrite)
        #expect(try integrity(of: history) == "ok")
        let times = Set(try history.load().events.map(\.time))
        for minute in acknowledged { #expect(times.contains(Sample.start + .minutes(minute))) }
        // All or nothing: an event comes with its output.
        for run in 0..<7 {
            let printed = times.map { Int(($0 - Sample.start).inSeconds) / 60 }.filter { $0 % 7 == run }
                .sorted()
            let text = try history.output(of: RunID(UInt64(run)))?.text
            #expect(text == printed.map { "line \($0)\n" }.joined())
        }
        try history.append(HistoryBatch(events: [try Sample.use(2_000_000)]))
    }

    @Test func `gives its lock back`() async throws {
        let result = try await #require(
            processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
        ) {
            let folder = FileManager.default.temporaryDirectory.path + "/lull-history-" + UUID().uuidString
            let lock = try StateLock.take(folder: folder, at: Sample.start)
            Self.say("folder \(folder)")
            withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
        }
        let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
        let folder = String(try #require(lines.first { $0.hasPrefix("folder ") }?.dropFirst(7)))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try StateLock.take(folder: folder, at: Sample.start)
    }

    private func integrity(of history: SQLiteHistory) throws -> String? {
        try #require(history.writer).read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
    }

    /// Writes one line to the parent, without buffering.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}

@Suite struct `Another process` {
    @Test func `reads the history while it is written`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let history = try SQLiteHistory.open(folder: path, mode: .readWrite)
        try history.append(HistoryBatch(events: try Sample.uses(0..<10)))
        await #expect(processExitsWith: .success) { [path = path as String] in
            let reader = try SQLiteHistory.open(folder: path, mode: .readOnly)
            guard try reader.events().count == 10 else { exit(1) }
        }
        try history.append(HistoryBatch(events: [try Sample.use(10)]))
    }

    @Test func `is refused the folder of a running host`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let lock = try StateLock.take(folder: path, at: Sample.start)
        let pid = getpid()
        await #expect(processExitsWith: .success) { [path = path as String, pid = pid as Int32] in
            do throws(HistoryError) {
                _ = try StateLock.take(folder: path, at: Sample.start + .minutes(1))
                exit(1)
            } catch {
                let holder = StateLock.Holder(pid: pid, since: Sample.start)
                guard error == .held(folder: path, holder: holder) else { exit(2) }
            }
        }
        withExtendedLifetime(lock) {}
    }
}
