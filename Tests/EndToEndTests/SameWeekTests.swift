import Foundation
import Testing

/// One seed is one week, in whichever process: in each of them Swift's dictionaries have another order.
struct SameWeekTests {
    /// Among them four in which an order drawn from a dictionary made another week of pushes in every other process.
    private static let seeds = (count: 10, first: 113)

    @Test(arguments: ["usual", "events", "pushes", "notifications", "transfers"])
    func `a seed is the same week in each process`(theme: String) throws {
        let program = Workshop.products.appendingPathComponent("lull-simulate").path
        let words = ["--seeds", "\(Self.seeds.count)", "--from", "\(Self.seeds.first)", "--theme", theme]
        let weeks = try (0..<3).map { _ in try Program.run(program, words) }
        for week in weeks {
            #expect(week.status == 0 && week.output.contains("digest"), "\(week.output)\(week.error)")
        }
        #expect(
            Set(weeks.map(\.output)).count == 1,
            "lull-simulate \(words.joined(separator: " "))\n\(weeks.map(\.output).joined())")
    }
}
