import ArgumentParser
import Foundation
import LullCommands

/// Writes the manual pages, from what the commands say of themselves: `make install` calls it.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-manual", abstract: "Write the manual pages into a folder.",
        shouldDisplay: false)

    @Argument(help: "The folder, which exists.") var folder: String

    func run() throws {
        let decoder = JSONDecoder()
        let tool = try decoder.decode(ToolDescription.self, from: Data(Lull._dumpHelp().utf8))
        let version = Lull.configuration.version
        let pages = ManualPage.pages(of: tool.command, parents: [], version: version)
        let plugin = try StateOptions.parse([]).pluginPath.lazy.map { $0 + "/libCommand.so" }
            .first { FileManager.default.fileExists(atPath: $0) }
        let settings = try plugin.flatMap(PluginSchemas.schema)?.get()
        for page in pages + [ManualPage.ofManifest(version: version, settings: settings)] {
            let file = URL(fileURLWithPath: folder).appendingPathComponent(page.file)
            do {
                try page.text.write(to: file, atomically: true, encoding: .utf8)
            } catch {
                throw Failure("\(file.path) can't be written: \(error.localizedDescription)")
            }
        }
    }
}
