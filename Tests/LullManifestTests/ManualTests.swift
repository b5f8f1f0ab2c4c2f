import Foundation
import Testing

@testable import LullManifest

/// The manual's examples are valid manifests, and its error messages are Lull's.
struct ManualTests {
    struct Block {
        var language: String
        var text: String
    }

    /// With the plugin of commands, which most of them have, and those that a reader has written.
    private func read(_ block: Block) -> ManifestResult {
        var machine = machine
        for name in ["Command", "Feed", "Photos"] {
            let path = "/usr/lib/lull/lib\(name).so"
            machine.entries[path] = FileEntry(.file, realPath: path)
        }
        return LullManifestTests.read(Array(block.text.utf8), on: machine)
    }

    static func manual(_ page: String = "manifest.md") throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent("docs/" + page), encoding: .utf8)
    }

    static func blocks(_ page: String = "manifest.md") throws -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        for line in try manual(page).components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? Block(language: String(line.dropFirst(3)), text: "") : nil
            } else {
                open?.text += line + "\n"
            }
        }
        return blocks
    }

    @Test func `each example is valid, or is refused as the manual says`() throws {
        let blocks = try Self.blocks()
        var refused = 0
        for (index, block) in blocks.enumerated() where block.language == "yaml" {
            let said = read(block).diagnostics.map { $0.rendered() + "\n" }.joined()
            if index + 1 < blocks.count, blocks[index + 1].language == "text" {
                #expect(said == blocks[index + 1].text)
                refused += 1
            } else {
                #expect(said == "", "\(block.text)")
            }
        }
        #expect(refused == 3)
        #expect(blocks.count == 18)
    }

    @Test func `the manifest that leads to a fleet is valid`() throws {
        let blocks = try Self.blocks("fleet.md").filter { $0.language == "yaml" }
        #expect(blocks.count == 2)
        for block in blocks {
            let result = read(block)
            #expect(result.diagnostics.map { $0.rendered() } == [])
            #expect(result.manifest?.fleet != nil)
        }
    }

    @Test func `each key is in the manual`() throws {
        let text = try Self.manual()
        for key in Key.allCases.map(\.rawValue) + Key.reserved {
            #expect(text.contains("`\(key)`") || text.contains("\(key): "), "\(key)")
        }
    }
}
