import ArgumentParser
import Foundation
import Testing

@testable import lull

/// The page about the fleet names commands that there are.
struct FleetPageTests {
    @Test func `each command of the page is one`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("docs/fleet.md"), encoding: .utf8)
        var commands: [[String]] = []
        for line in page.split(separator: "\n") where line.hasPrefix("$ ") {
            let words = line.split(separator: " ").map(String.init)
            guard let name = words.firstIndex(of: "lull"), name + 1 < words.count,
                ["$", "postgres", "sudo"].contains(words[name - 1])
            else { continue }
            commands.append(Array(words[(name + 1)...]))
        }
        #expect(commands.count >= 6)
        for command in commands {
            #expect(throws: Never.self, "\(command)") { try Lull.parseAsRoot(command) }
        }
    }
}
