import ArgumentParser
import Foundation
import LullCommands

/// Writes the manual pages, from the commands' own descriptions: `make install` calls it.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-manual", abstract: "Write the manual pages into a folder.",
        shouldDisplay: false)

    @Argument(help: "The folder; it has to exist.") var folder: String
    @Argument(help: "The date that the pages bear, as 2026-12-24.") var date: String

    func run() throws {
        let edition = ManualPage.Edition(version: Lull.configuration.version, date: date)
        let pages = ManualPage.pages(of: try ToolDescription.ofLull().command, parents: [], edition)
        let plugin = try StateOptions.parse([]).pluginPath.lazy.map { $0 + "/libCommand.so" }
            .first { FileManager.default.fileExists(atPath: $0) }
        let settings = try plugin.flatMap(PluginSchemas.schema)?.get()
        for page in pages + [ManualPage.ofManifest(edition, settings: settings)] {
            let file = URL(fileURLWithPath: folder).appendingPathComponent(page.file)
            do {
                try page.text.write(to: file, atomically: true, encoding: .utf8)
            } catch {
                throw Failure("\(file.path) can't be written: \(error.localizedDescription)")
            }
        }
    }
}
