import ArgumentParser
import LullControl

/// The end of a command line that failed: in words on standard error, or as JSON where `--json` asked for that.
package enum FailedCommand {
    /// Runs a command line to its end.
    package static func run<C: ParsableCommand>(_ root: C.Type) {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try C.parseAsRoot(arguments)
            try command.run()
        } catch {
            end(error, of: root, arguments)
        }
    }

    /// `remedy`: what to use instead of the words that the parser refuses.
    package static func end<C: ParsableCommand>(
        _ error: any Error, of root: C.Type, _ arguments: [String], remedy: String? = nil
    ) -> Never {
        let code = C.exitCode(for: error).rawValue
        guard code != 0, asksForJSON(arguments), !Output.isAnswered else {
            guard code != 0, !(error is ExitCode) else { C.exit(withError: error) }
            // The parser quotes what it refuses as it was given.
            Output.error([C.fullMessage(for: error), remedy].compactMap(\.self).joined(separator: "\n"))
            C.exit(withError: ExitCode(code))
        }
        // An error that is only an exit code has printed its reason before.
        let sentence = error is ExitCode ? Output.errors : C.message(for: error)
        tell([sentence, remedy ?? ""], code)
        C.exit(withError: ExitCode(code))
    }

    /// Ends a command line whose command does not exist.
    package static func end<C: ParsableCommand>(
        saying sentence: String, of root: C.Type, _ arguments: [String]
    ) -> Never {
        if asksForJSON(arguments) {
            tell([sentence], 64)
        } else {
            Output.error("Error: " + sentence)
        }
        C.exit(withError: ExitCode(64))
    }

    private static func asksForJSON(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    private static func tell(_ parts: [String], _ code: Int32) {
        let sentence = parts.filter { !$0.isEmpty }.joined(separator: "\n")
        try? Output.json(ErrorJSON(sentence, exitCode: code))
    }
}
