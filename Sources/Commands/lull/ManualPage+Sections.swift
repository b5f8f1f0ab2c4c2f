import LullCommands

/// The parts of a command's discussion that have sections of their own, where readers of manuals look for them.
extension ManualPage {
    struct Discussion {
        var description = ""
        /// The ends of paragraphs that begin with a sentence about the exit status.
        var status: [String] = []
        var examples = ""

        init(_ text: String) {
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
            let heading = parts.firstIndex { ["Examples:", "Example:", "First steps:"].contains($0) }
            examples = parts[(heading.map { $0 + 1 } ?? parts.endIndex)...].joined(separator: "\n")
            var lines = parts[..<(heading ?? parts.endIndex)].map { line in
                let sentences = line.hasPrefix(" ") ? [] : line.split(separator: ". ")
                guard let first = sentences.firstIndex(where: Self.isOfStatus) else { return String(line) }
                status.append(sentences[first...].joined(separator: ". "))
                return sentences[..<first].map { $0 + "." }.joined(separator: " ")
            }
            while lines.last?.isEmpty == true { lines.removeLast() }
            description = lines.joined(separator: "\n")
        }

        private static func isOfStatus(_ sentence: Substring) -> Bool {
            ["xits with", "xit status", "xit code"].contains { sentence.contains($0) }
        }
    }

    static func exitStatus(_ own: [String]) -> [String] {
        let statuses = [
            ("0", "Done."), ("1", "Refused, or failed."),
            ("64", "The command line is not understood."),
            ("74", "The state, or the file written to, is gone, full or damaged."),
            ("75", "Another host or pass holds the state."),
        ]
        var lines = [".SH EXIT STATUS"]
        if !own.isEmpty { lines += prose(own.joined(separator: " ")) }
        for (status, meaning) in statuses where !own.contains(where: { $0.contains(" \(status)") }) {
            lines += [".TP", "\\fB\(status)\\fR"]
            lines += prose(meaning)
        }
        return lines
    }

    /// The environment variables that a command with these options reads; `lull` itself has all.
    static func environment(_ arguments: [ArgumentDescription], isAll: Bool) -> [String] {
        let options = arguments.flatMap { $0.names ?? [] }.map(\.name)
        let variables: [(name: String, meaning: String, option: String?)] = [
            ("LULL_STATE", "The folder with the state, if --state is not given.", "state"),
            (
                "XDG_STATE_HOME",
                "Its folder `lull` has the state of users other than root, if neither is given.",
                "state"
            ),
            (
                "LULL_PLUGINS", "Folders with plugins, separated by colons, if --plugins is not given.",
                "plugins"
            ),
            ("LULL_SDK", "The folder of Lull's SDK, if --sdk is not given.", "sdk"),
            ("NO_COLOR", "Turns colours off unless it is empty.", nil),
            ("COLUMNS", "How wide lines may be, if the output is not a terminal.", nil),
        ]
        return [".SH ENVIRONMENT"]
            + variables.filter { isAll || $0.option.map(options.contains) ?? true }
            .flatMap { [".TP", "\\fB\(escaped($0.name))\\fR"] + prose($0.meaning) }
    }

    static func examples(_ text: String) -> [String] {
        text.isEmpty ? [] : [".SH EXAMPLES"] + prose(text)
    }
}
