import ArgumentParser
import LullManifest

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of jobs.yaml, for editors.",
        discussion: """
            Editors complete keys and mark mistakes by it as one types. `lull check` says more: what the machine knows of \
            plugins, zones and files, and what keys mean together.

            Example:
              lull schema > jobs.schema.json
              # yaml-language-server: $schema=./jobs.schema.json     (the first line of jobs.yaml)
            """)

    func run() throws { try Output.json(ManifestSchema.json) }
}
