import Foundation
import TestSupport
import Testing

/// One seed is one week in every process, though Swift's dictionaries have another order in each.
struct SameWeekTests {
    /// Four of them once gave another week of pushes in every other process, by the order of a dictionary.
    private static let seeds = (count: 10, first: 113)

    /// The path of `lull-simulate`, beside the program of these tests.
    private static func simulate() throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let beside = URL(fileURLWithPath: own).deletingLastPathComponent()
        return beside.appendingPathComponent("lull-simulate").path
    }

    @Test(arguments: ["usual", "events", "pushes", "notifications", "transfers"])
    func `a seed is the same week in each process`(theme: String) throws {
        let words = [
            try Self.simulate(), "--seeds", "\(Self.seeds.count)", "--from", "\(Self.seeds.first)", "--theme",
            theme,
        ]
        let weeks = try (0..<3).map { _ in try Command.run(words) }
        for week in weeks { #expect(week.contains("digest"), "\(week)") }
        #expect(
            Set(weeks).count == 1, "\(words.joined(separator: " "))\n\(weeks.joined(separator: "\n"))")
    }
}
