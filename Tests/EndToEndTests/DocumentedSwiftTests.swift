import Foundation
import TestSupport
import Testing

/// Each plugin in the manual compiles unchanged against the SDK.
struct DocumentedSwiftTests {
    @Test(arguments: ["README.md", "docs/plugins.md"])
    func `a plugin on a page of the manual compiles without a warning`(page: String) throws {
        let text = try String(contentsOf: Workshop.root.appendingPathComponent(page), encoding: .utf8)
        let plugins = text.matches(of: /```swift\n(import BackgroundTasks\n(?s:.*?))```/).map(\.1)
        #expect(!plugins.isEmpty)
        let workshop = try Workshop()
        let folders = ["Sources/C/CLullPlugin/include", "Sources/C/CLullEntry/include"].map {
            Workshop.root.appendingPathComponent($0).path
        }
        for plugin in plugins {
            try workshop.write(String(plugin), to: "Plugin.swift")
            let modules = [Workshop.products.appendingPathComponent("Modules").path] + folders
            let result = try Program.run(
                "/usr/bin/env",
                ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors"]
                    + modules.flatMap { ["-I", $0] } + ["Plugin.swift"],
                in: workshop.folder)
            #expect(result.status == 0, "\(result.error)")
        }
    }
}
