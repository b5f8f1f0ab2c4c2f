import Foundation
import TestSupport
import Testing

/// The message of `make` where the Swift toolchain is not the required one.
struct ToolchainTests {
    private func require(_ swift: String) throws -> Program.Result {
        try Program.run(Workshop.root.appendingPathComponent("packaging/require-swift").path, [swift])
    }

    private func program(saying words: String) throws -> (folder: TemporaryFolder, path: String) {
        let folder = try TemporaryFolder()
        let path = try folder.file("swift", "#!/bin/sh\necho '\(words)'\n")
        try #require(chmod(path, 0o755) == 0)
        return (folder, path)
    }

    @Test(arguments: ["6.2", "6.2.4", "6.10", "7.0"])
    func `a toolchain that is new enough is taken without a word`(version: String) throws {
        let swift = try program(saying: "Swift version \(version) (swift-\(version)-RELEASE)")
        let result = try require(swift.path)
        #expect(result.status == 0 && result.output.isEmpty && result.error.isEmpty, "\(result)")
    }

    @Test(arguments: [
        ("Swift version 5.10.1 (swift-5.10.1-RELEASE)", "is Swift 5.10.1."),
        ("Swift version 6.1 (swift-6.1-RELEASE)", "is Swift 6.1."),
        ("python-swiftclient 4.6.0", "is no Swift toolchain."),
    ])
    func `another is named with what is needed, and how one gets it`(words: String, found: String) throws {
        let swift = try program(saying: words)
        let result = try require(swift.path)
        #expect(result.status == 69)
        for sentence in ["Lull needs Swift 6.2 or later", "\(swift.path) \(found)", "Swiftly installs one: "]
        {
            #expect(result.error.contains(sentence), "\(result.error)")
        }
    }

    @Test func `where there is none that is said`() throws {
        let result = try require("no-such-swift")
        #expect(result.status == 69 && result.error.contains("there is no `no-such-swift` here"))
    }
}
