import Testing

@testable import LullSimulator

/// A score of launches that belong to no app would be wrong without a word.
struct BacktestTrapTests {
    @Test func `launches of an app that is not there trap`() async {
        await #expect(processExitsWith: .failure) { _ = BacktestScore([], launches: [[0]]) }
    }

    @Test func `an app without a use traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = BacktestApp(name: "a", uses: [], shownOffsets: [], idleAfter: 1)
        }
    }
}
