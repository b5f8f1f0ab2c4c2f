import ArgumentParser
import LullCommands

/// Prints the words that may follow in a command line, one a line; the first line says whether paths may follow, too.
/// Shells call it.
struct CompleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete-words", abstract: "Complete a command line, as the shells' scripts ask.",
        shouldDisplay: false)

    @Argument(parsing: .captureForPassthrough) var words: [String] = []

    func run() throws {
        let words = words.first == "--" ? Array(words.dropFirst()) : words
        let completion = Completion(root: try ToolDescription.ofLull().command) { path, argument in
            Self.names(path, argument, words)
        }
        let answer = completion.answer(to: words)
        let lines = answer.candidates.map { $0.text + "\t" + $0.meaning }
        Output.answer(([answer.paths.rawValue] + lines).joined(separator: "\n"))
    }

    /// The parser knows an argument's completions, and returns them as an error.
    private static func names(_ path: [String], _ argument: String, _ words: [String]) -> [String] {
        do {
            _ = try Lull.parseAsRoot(["---completion"] + path + ["--", argument, "0", "0"] + words)
            return []
        } catch {
            guard Lull.exitCode(for: error) == .success else { return [] }
            return Lull.fullMessage(for: error).split(separator: "\n").map(String.init)
        }
    }
}
