import ArgumentParser
import Foundation
import LullCommands
import LullManifest

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of jobs.yaml, for editors.",
        usage: "lull schema [<options>] [<file>]",
        discussion: """
            With this schema an editor completes keys and marks mistakes while you type, in `settings` too: it \
            contains the settings that plugins declare, both those found by name and those of FILE. No plugin \
            code runs. `lull check` finds more: it knows which plugins, zones and files this machine has, and \
            what keys mean together.

            Example:
              lull schema > jobs.schema.json

            Then write this as the first line of jobs.yaml:
              # yaml-language-server: $schema=./jobs.schema.json
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: "A manifest, or its folder, whose plugins to include.") var file: String?

    func run() throws {
        var plugins: [String: String] = [:]
        for folder in options.pluginPath.reversed() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted() where name.hasSuffix(".so") {
                plugins[Self.name(of: name)] = folder + "/" + name
            }
        }
        if let file {
            for app in try options.readManifest(file, showsWarnings: false).apps {
                plugins[Self.name(of: app.plugin)] = app.plugin
            }
        }
        let schemas = PluginSchemas(of: plugins.values)
        // `lull check` and `lull plugin check` report a faulty schema.
        try Output.json(
            ManifestSchema.json(with: plugins.compactMapValues { plugin in try? schemas[plugin]?.get() }))
    }

    /// The plugin as a manifest names it: without `lib` and `.so`.
    private static func name(of path: String) -> String {
        var name = URL(fileURLWithPath: path).lastPathComponent[...]
        if name.hasSuffix(".so") { name = name.dropLast(3) }
        return String(name.hasPrefix("lib") ? name.dropFirst(3) : name)
    }
}
