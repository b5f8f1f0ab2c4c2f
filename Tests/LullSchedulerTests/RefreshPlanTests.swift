import LullForecast
import LullModel
import Testing

@testable import LullScheduler

struct RefreshPlanTests {
    private static let start = WallTime.at(0, 0)

    private static func even(_ hazard: Float) -> Hazards {
        Hazards(from: start, values: Array(repeating: hazard, count: 192))
    }

    @Test(arguments: [15, 25])
    func `the plan for hits is the least expected cost of all plans`(gap: Int) throws {
        // Twelve steps of five minutes, every subset of them tried.
        let values: [Float] = [0.01, 0.2, 0.02, 0.3]
        let hazards = Hazards(from: .at(0, 0), values: values)
        let price = 0.11
        let question = RefreshPlan.Question(
            hazards: hazards, objective: .hits, price: price, gap: .minutes(gap), fresh: .minutes(15),
            passInterval: .minutes(5))
        let steps = hazards.rates(step: 300, count: 12).map { 1 - Double.exp(-Double($0)) }
        func cost(_ launches: Set<Int>) -> Double {
            var survival = 1.0
            var cost = 0.0
            var age = 99
            for step in steps.indices {
                if launches.contains(step) {
                    guard age >= gap / 5 else { return .infinity }
                    cost += survival * price
                    age = 0
                }
                if age < 3 { cost -= survival * steps[step] }
                survival *= 1 - steps[step]
                age += 1
            }
            return cost
        }
        let best = (0..<1 << 12).map { bits in cost(Set((0..<12).filter { bits >> $0 & 1 == 1 })) }.min()
        let planned = RefreshPlan(question).launches.map {
            Int(($0.time - WallTime.at(0, 0)).milliseconds / 300_000)
        }
        let found = cost(Set(planned))
        #expect(!planned.isEmpty && best.map { found < $0 + 1e-5 } == true)
    }

    @Test func `a launch for hits may be planned for any minute`() {
        // Uses are likely in one quarter-hour alone: its launch has to be fresh at the end of it.
        var values = [Float](repeating: 0, count: 48)
        values[20] = 0.5
        let plan = RefreshPlan(
            .init(
                hazards: Hazards(from: Self.start, values: values), objective: .hits, price: 0.1,
                gap: .minutes(15), lastFresh: Self.start - .seconds(17 * 60 + 5)))
        #expect(plan.launches.count == 1)
        let first = plan.launches.first?.time ?? Self.start
        #expect(first > .at(0, 4, 15) && first <= .at(0, 5))
    }

    @Test(arguments: Objective.allCases)
    func `nothing is planned for after the app is idle`(_ objective: Objective) {
        var question = RefreshPlan.Question(
            hazards: Self.even(0.03), objective: objective, price: 0.05, gap: .minutes(15))
        let free = RefreshPlan(question).launches
        question.until = .at(0, 20)
        let bound = RefreshPlan(question).launches
        #expect(free.contains { $0.time > .at(0, 20) })
        #expect(!bound.isEmpty && bound.allSatisfy { $0.time <= .at(0, 20) })
        question.until = Self.start - .seconds(1)
        #expect(RefreshPlan(question).launches.isEmpty)
    }

    @Test func `the last launch before the app is idle is made late, for what comes after`() {
        var question = RefreshPlan.Question(
            hazards: Self.even(0.005), objective: .staleness, price: 0.5, gap: .minutes(15),
            lastFresh: Self.start)
        // Whenever idleness comes, the last launch lies shortly before it.
        for hour in 14..<24 {
            question.until = .at(0, hour)
            let last = RefreshPlan(question).launches.last?.time
            #expect(last.map { $0 > .at(0, hour - 2) } == true)
        }
    }
}
