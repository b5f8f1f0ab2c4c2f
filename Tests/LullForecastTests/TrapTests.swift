import Testing

@testable import LullForecast

/// An argument that only our own bug can pass ends the process at once, before it decides anything.
struct TrapTests {
    @Test func `a blur that would reach round twice traps`() async {
        await #expect(processExitsWith: .failure) { _ = Kernel(triangle: 5).circular([1, 0, 0]) }
    }

    @Test func `weights of another network trap`() async {
        await #expect(processExitsWith: .failure) {
            _ = HazardNetwork(parameters: [Float](repeating: 0, count: HazardNetwork.parameterCount - 1))
        }
    }
}
