import Foundation
import LullCalendar
import LullModel
import Testing

@testable import LullImport

/// `OnCalendar=` beside the answers of `systemd-analyze calendar`, which `Tests/Fixtures/Calendar/make-table` asked.
struct SystemdCalendarTests {
    private static let base = WallTime(seconds: 1_801_312_440)

    @Test func `an expression comes when systemd says, and what systemd refuses is refused`() throws {
        let kept = Samples.folder.deletingLastPathComponent().appendingPathComponent(
            "Calendar/systemd-252.tsv"
        ).path
        let path = ProcessInfo.processInfo.environment["LULL_CALENDAR_TABLE"] ?? kept
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(rows.count > 250)
        for row in rows {
            let parts = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let times = parts[1].contains("T") ? parts[1].split(separator: " ").map(String.init) : []
            #expect(found(parts[0], times.count) == times, "\(row)")
        }
    }

    /// The first times; none where the import refuses the expression.
    private func found(_ expression: String, _ count: Int) -> [String] {
        guard let text = try? UnitCalendar(expression).text, let times = try? ExactTimes(text) else {
            return []
        }
        var found: [String] = []
        var last = Self.base
        while found.count < max(count, 1), let next = times.next(after: last, in: .utc) {
            let local = LocalTime(secondsSinceEpoch: next.seconds)
            found.append(
                String(
                    format: "%04d-%02d-%02dT%02d:%02d", local.year, local.month, local.day, local.hour,
                    local.minute))
            last = next
        }
        return found
    }
}
