import ArgumentParser
import Foundation
import LullCommands
import LullHistory
import LullModel
import LullSystem
import LullUsage

struct HistoryImport: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import events from a file of JSON Lines.",
        usage: "lull history import [<options>] <file>",
        discussion: """
            Reads JSON Lines as `lull history --export` and `--json` write them, one event a line:
              {"time":"2026-11-21T08:00:00.000Z","event":"used","app":"com.example.App"}

            It reports each wrong line; if there is one, it imports nothing. It does not import an event that \
            the history already has. Runs, requests and transfers can only be imported into a state on which \
            no host has run.

            Examples:
              lull history import history.jsonl
              ssh old lull history --export | lull history import -
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The file, or `-` for standard input.") var file: String
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let name = file == "-" ? "standard input" : file
        let text: Data
        if file == "-" {
            text = FileHandle.standardInput.readDataToEndOfFile()
        } else {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw Failure("Can't read \(file). Does it exist, and may this user read it?")
            }
            text = data
        }
        let read: (events: [HistoryEvent], outputs: [RunID: JSONValue])
        do {
            read = try HistoryLines.decode(
                file: text, path: name, uses: .y2000...Clock.wall + UsageSessions.slack)
        } catch {
            throw Failure(error.message + "\n" + error.fix)
        }
        let (added, known) = try importEvents(read.events, read.outputs)
        let result = Result(importedCount: added, knownCount: known)
        json ? try Output.json(result) : Output.answer(result.sentence)
    }

    private struct Result: Encodable {
        var importedCount: Int
        var knownCount: Int

        var sentence: String {
            let added = "Imported " + Phrase.count(importedCount, "event")
            return knownCount == 0
                ? added + "." : added + "; \(knownCount) \(knownCount == 1 ? "was" : "were") there already."
        }
    }
}
