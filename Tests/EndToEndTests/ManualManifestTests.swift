import Foundation
import TestSupport
import Testing

/// The manifests in the manual, as `lull check` judges them with the plugins that come with Lull.
///
/// A block without `apps` or `version` is a part: the test completes it to the smallest manifest. If a refusal follows a block,
/// it is refused, at the places in the manual.
struct ManualManifestTests {
    struct Block: CustomTestStringConvertible {
        let page: String
        let line: Int
        var language: String
        var text = ""
        /// The places of the errors below the block: `jobs.yaml:7:44`.
        var errors: [String] = []
        var testDescription: String { "\(page):\(line)" }
    }

    static let blocks: [Block] = {
        let docs = Workshop.root.appendingPathComponent("docs")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: docs.path))?.sorted() ?? []
        let pages = names.filter { $0.hasSuffix(".md") }.map(docs.appendingPathComponent)
        return (pages + [Workshop.root.appendingPathComponent("README.md")]).flatMap(blocks)
    }()

    private static func blocks(of page: URL) -> [Block] {
        var manifests: [Block] = []
        var open: Block?
        var indent = 0
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            guard let fence = line.firstMatch(of: /^( *)```(\w*)$/) else {
                open?.text += line.dropFirst(indent) + "\n"
                continue
            }
            guard let block = open else {
                open = Block(page: page.lastPathComponent, line: index + 1, language: String(fence.2))
                indent = fence.1.count
                continue
            }
            open = nil
            // Prometheus's configuration is YAML, too.
            if block.language == "yaml", !block.text.hasPrefix("scrape_configs:") {
                manifests.append(block)
            } else if block.text.hasPrefix("jobs.yaml:"), !manifests.isEmpty {
                manifests[manifests.count - 1].errors = errors(in: block.text)
            }
        }
        return manifests
    }

    private static func errors(in text: String) -> [String] {
        text.components(separatedBy: "\n").compactMap {
            $0.prefixMatch(of: #/(jobs\.yaml:\d+:\d+): error: /#).map { String($0.1) }
        }
    }

    private static func whole(_ text: String) -> String {
        if text.contains("version:") { return text }
        let task = "apps:\n  com.example.Part:\n    plugin: Command\n    idle_after: never\n    tasks:\n"
        return "version: 1\n"
            + (text.hasPrefix(" ") ? task + text : text.contains("apps:") ? text : text + "apps: {}\n")
    }

    private static let shipped = ["Command", "SQLiteMaintenance", "RepoRefresh", "ColorFeed", "Mirror"]

    /// Links the shipped plugins, and substitutes each of the reader's own; false if the manifest names any of those.
    private func provide(_ block: Block, in workshop: Workshop) throws -> Bool {
        for name in Self.shipped { try workshop.link(name) }
        let named = Set(block.text.matches(of: /plugin: ([^ ,\n]+)/).map { String($0.1) })
        let own = named.subtracting(Self.shipped)
        guard block.errors.isEmpty, !own.isEmpty else { return true }
        try workshop.compile("Tasks", as: "Tasks")
        for name in own {
            let path = workshop.folder + "/" + (name.contains("/") ? name : "plugins/lib\(name).so")
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: workshop.folder + "/plugins/libTasks.so", toPath: path)
        }
        return false
    }

    /// An error about something that the reader's machine has and this one may lack.
    private static func isOfThisMachine(_ line: String) -> Bool {
        line.contains(/(there is (no|nothing) |can't be told |manifest has no apps)/)
    }

    @Test(arguments: blocks)
    func `a manifest of the manual is right, or refused as it says`(block: Block) throws {
        let workshop = try Workshop()
        let isShipped = try provide(block, in: workshop)
        try workshop.write(Self.whole(block.text), to: "jobs.yaml")
        // The check starts the plugins that come with Lull, which say which handlers they have.
        let said = try workshop.lull(isShipped ? ["check"] : ["check", "--no-plugins"]).error
        let notes = said.components(separatedBy: "\n").filter { $0.contains(#/^jobs\.yaml:\d+:\d+: /#) }
        guard block.errors.isEmpty else {
            #expect(Self.errors(in: said) == block.errors)
            return
        }
        #expect(notes.filter { !Self.isOfThisMachine($0) }.isEmpty, "\(said)")
    }

    @Test func `the manual has manifests, and some that are refused`() {
        #expect(Self.blocks.count > 40)
        #expect(Self.blocks.filter { !$0.errors.isEmpty }.count == 4)
    }

    @Test func `the smallest manifest of the manual runs as it stands`() throws {
        let block = try #require(
            Self.blocks.filter { $0.page == "manifest.md" && $0.text.contains("run:") }
                .min { $0.text.count < $1.text.count })
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(block.text, to: "jobs.yaml")
        let check = try workshop.lull("check", "--strict")
        #expect(check.status == 0, "\(check.error)")
        #expect(try workshop.lull("submit", "disk").status == 0)
        let pass = try workshop.lull("run", "--once")
        let said = pass.output + pass.error
        #expect(pass.status == 0 && said.contains("1 ran, 0 failed"), "\(said)")
    }
}
