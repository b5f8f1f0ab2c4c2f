import Foundation
import LullHistory
import LullModel
import Testing

/// A folder of its own for each test, gone with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/lull-history-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Both implementations of `History`: every promise is tested on each.
enum Twin: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite

    var testDescription: String { rawValue }

    func make(in folder: TemporaryFolder) throws -> any History {
        switch self {
        case .memory: MemoryHistory()
        case .sqlite: try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        }
    }
}

enum Sample {
    static let start = WallTime(seconds: 1_795_000_000)

    static func app(_ name: String = "ColorFeed") throws -> AppIdentifier {
        try #require(AppIdentifier("com.example." + name))
    }

    static func task(_ name: String = "refresh") throws -> TaskIdentifier {
        try #require(TaskIdentifier("com.example.ColorFeed." + name))
    }

    static func use(_ minute: Int, _ name: String = "ColorFeed") throws -> HistoryEvent {
        HistoryEvent(.used, at: start + .minutes(minute), app: try app(name))
    }

    static func uses(_ minutes: Range<Int>) throws -> [HistoryEvent] {
        try minutes.map { try use($0) }
    }

    static func launch(_ minute: Int, run: UInt64, task name: String = "refresh") throws -> HistoryEvent {
        HistoryEvent(
            .launched, at: start + .minutes(minute), app: try app(), task: try task(name),
            request: RequestID(run),
            run: RunID(run))
    }

    /// Every field with a value.
    static func full() throws -> HistoryEvent {
        var event = HistoryEvent(
            .submitted, at: WallTime(milliseconds: 1_795_000_000_123), app: try app(), task: try task(),
            request: RequestID(7), run: RunID(9), outcome: .crashed,
            reason: "It said \"no\\yes\"\n\tand ☃ \u{1}.")
        event.kind = .processing
        event.origin = .operator
        event.earliestBegin = WallTime(milliseconds: 1_795_000_900_001)
        event.requires = Requirements(
            network: .unmetered, externalPower: true, batteryAbove: 0.2, idle: false, loadBelow: 1.5,
            diskFree: 1 << 30)
        event.gates = ["battery", "network"]
        event.registered = [try task(), try task("db_cleaning")]
        event.stamp = "a b\"c"
        event.milliseconds = 1234
        return event
    }

    static func chunk(_ run: UInt64, _ text: String, minute: Int = 0) -> OutputChunk {
        OutputChunk(
            run: RunID(run), stream: .standardOutput, time: start + .minutes(minute), bytes: Array(text.utf8))
    }
}
