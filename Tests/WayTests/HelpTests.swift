import Foundation
import TestSupport
import Testing

/// The help of every command on a terminal of 80 columns.
struct HelpTests {
    /// The help of the program and of all commands below it.
    private static func helps() throws -> [(command: String, lines: [String])] {
        var helps: [(String, [String])] = []
        var commands: [[String]] = [[]]
        while let command = commands.popLast() {
            let help = try Program.run(
                Workshop.products.appendingPathComponent("lull").path, ["help"] + command,
                environment: ["COLUMNS": "80"])
            try #require(help.status == 0, "\(command): \(help.error)")
            let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            helps.append((command.joined(separator: " "), lines))
            commands += names(in: lines).map { command + [$0] }
        }
        return helps
    }

    /// The subcommands: the words after two spaces of indentation under a heading for subcommands.
    private static func names(in lines: [String]) -> [String] {
        var isList = false
        return lines.compactMap { line in
            if line.hasSuffix("SUBCOMMANDS:") { isList = true }
            if line.isEmpty { isList = false }
            guard isList, line.hasPrefix("  "), line.dropFirst(2).first != " " else { return nil }
            return line.split(separator: " ").first.map(String.init)
        }
    }

    @Test func `no line is wider than the terminal, and no example is broken`() throws {
        let helps = try Self.helps()
        #expect(helps.count > 30)
        for (command, lines) in helps {
            let wide = lines.filter { $0.count > 80 }
            #expect(wide.isEmpty, "lull help \(command)")
            // An indented line above the usage is for copying, so it may not wrap.
            let text = lines.prefix { !$0.hasPrefix("USAGE:") }
            for (line, next) in zip(text, text.dropFirst()) where line.hasPrefix("  ") {
                #expect(next.isEmpty || next.hasPrefix("  "), "lull help \(command): \(line)")
            }
        }
    }

    @Test(arguments: [["--help"], ["help"], ["history", "--help"], ["--version"]])
    func `help that does not fit where it is written to is no success`(arguments: [String]) throws {
        let lull = Workshop.products.appendingPathComponent("lull").path
        let result = try Program.run("/bin/sh", ["-c", #""$@" >/dev/full"#, "sh", lull] + arguments)
        #expect(result.status == 74)
        #expect(try Program.run(lull, ["help", "nosuch"]).status == 64)
    }

    @Test func `each example is of a command that there is, with options that it has`() throws {
        let helps = try Self.helps()
        let known = Dictionary(helps.map { ($0.command, $0.lines) }) { first, _ in first }
        for (command, lines) in helps {
            for line in lines.prefix(while: { !$0.hasPrefix("USAGE:") }) where line.hasPrefix("  ") {
                for part in line.components(separatedBy: "lull ").dropFirst() {
                    let words = part.split { " |>".contains($0) }.map(String.init)
                    let name = [3, 2, 1].map { words.prefix($0).joined(separator: " ") }.first {
                        known[$0] != nil
                    }
                    let help = try #require(name.flatMap { known[$0] }, "lull help \(command): \(line)")
                    // The options of a list include those of its default subcommand.
                    let ofList = name.flatMap { known[$0 + " show"] ?? known[$0 + " list"] } ?? []
                    let text = (help + ofList).joined(separator: "\n")
                    let own = part.components(separatedBy: "|").first ?? ""
                    for option in own.split(separator: " ") where option.hasPrefix("--") {
                        #expect(text.contains("  \(option) "), "lull help \(command): \(line)")
                    }
                }
            }
        }
    }
}
