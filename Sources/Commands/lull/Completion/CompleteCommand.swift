import ArgumentParser
import LullCommands

/// Says what a command line may go on with, a line each; the first says whether paths may come as well. The shells' scripts call it.
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

    /// The parser knows what an argument completes to, and tells it as an error.
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
