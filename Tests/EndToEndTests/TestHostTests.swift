import TestSupport
import Testing

/// The host of an author's unit tests.
struct TestHostTests {
    @Test func `an author's tests launch, expire and complete their handlers without a host`() throws {
        let workshop = try Workshop()
        try SDKCompiler(workshop, modules: ["BackgroundTasksTesting"])
            .link("Tests/Fixtures/TestHost", as: "author-tests", "-swift-version", "6", "-warnings-as-errors")
        // A test that waits for a run without an end would wait forever.
        let result = try Program.run("/usr/bin/env", ["timeout", "120", workshop.folder + "/author-tests"])
        #expect(result.status == 0, "\(result.output) \(result.error)")
        #expect(!result.output.contains("FAILED") && result.output.contains("ok"), "\(result.output)")
    }
}
