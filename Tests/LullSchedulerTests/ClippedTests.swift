import Testing

@testable import LullScheduler

struct ClippedTests {
    @Test func `a reason is clipped at a whole character`() {
        let long = String(repeating: "ä", count: 1000)
        let clipped = long.clipped(to: 1024)
        #expect(
            clipped.utf8.count <= 1024 && clipped.hasSuffix("…")
                && clipped.dropLast().allSatisfy { $0 == "ä" })
        #expect("short".clipped(to: 1024) == "short")
    }
}
