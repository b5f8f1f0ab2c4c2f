import ArgumentParser
import Foundation
import LullCommands
import LullHistory
import LullModel

struct HistoryImport: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import events from a file of JSON Lines.",
        usage: "lull history import [<options>] <file>",
        discussion: """
            Reads JSON Lines as `lull history --json` writes them, one event a line:
              {"time":"2026-11-21T08:00:00.000Z","event":"used","app":"com.example.App"}

            Each line that is wrong is reported; then nothing is imported. A use that the history already has is not \
            imported twice. What runs printed is not among the events: `sqlite3 STATE/history.sqlite '.backup FILE'` copies \
            all that a history holds.

            Examples:
              lull history import events.jsonl
              ssh old lull history --json | lull history import -
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
        let events: [HistoryEvent]
        do {
            events = try HistoryLines.decode(file: text, path: name)
        } catch {
            throw Failure(error.message + "\n" + error.fix)
        }
        let (added, known) = try importEvents(events)
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
