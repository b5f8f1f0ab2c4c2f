/// The words that may follow in a command line at TAB, from the commands' own descriptions.
///
/// A shell's script asks for them each time and adds only files and folders, which shells complete better. Some cases that
/// ArgumentParser's own scripts leave out are here, for all shells alike: options and names behind a command that is
/// called by default, values behind an option in fish, and `--option=value`.
struct Completion {
    enum Paths: String {
        case none, files, folders
    }

    struct Candidate: Equatable {
        let text: String
        var meaning = ""
    }

    struct Answer: Equatable {
        var paths = Paths.none
        var candidates: [Candidate] = []
    }

    let root: CommandDescription
    /// The completions that an argument's own code gives: for the command at a path, with the parser's name of the
    /// argument.
    let names: (_ path: [String], _ argument: String) -> [String]

    /// `words`: those behind `lull`; the last is the one to complete, as far as the cursor.
    func answer(to words: [String]) -> Answer {
        let words = Self.joined(words)
        guard let current = words.last else { return Answer() }
        var place = Place(root)
        for word in words.dropLast() { place.pass(word) }
        var answer = Answer()
        if let option = place.awaiting {
            add(option, at: place, startingWith: current, to: &answer)
        } else if place.readsOptions, current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
            guard let option = place.option(String(current[..<equals])) else { return answer }
            add(
                option, at: place, startingWith: String(current[current.index(after: equals)...]), to: &answer
            )
        } else if place.readsOptions, current.hasPrefix("-") {
            answer.candidates = place.options.filter { $0.text.hasPrefix(current) }
        } else {
            answer.candidates = place.subcommands.filter { $0.text.hasPrefix(current) }
            for argument in place.nextPositionals {
                add(argument, at: place, startingWith: current, to: &answer)
            }
            if answer == Answer(), current.isEmpty, place.readsOptions { answer.candidates = place.options }
        }
        return answer
    }

    private func add(
        _ argument: ArgumentDescription, at place: Place, startingWith start: String, to answer: inout Answer
    ) {
        let kind = argument.completionKind
        // An argument that help calls a file or a dir is one.
        if kind?.file != nil || kind == nil && argument.valueName == "file" {
            answer.paths = .files
        } else if kind == nil, argument.valueName == "dir" {
            answer.paths = .folders
        }
        var values = kind?.list?.values ?? []
        if kind?.custom != nil { values = names(place.readerPath, place.parserName(of: argument)) }
        answer.candidates += values.filter { $0.hasPrefix(start) }.map { Candidate(text: $0) }
    }

    /// Bash splits words at `=`.
    private static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        var isOpen = false
        for word in words {
            if let last = joined.last, word == "=" || isOpen {
                joined[joined.count - 1] = last + word
                isOpen = word == "="
            } else {
                joined.append(word)
            }
        }
        return joined
    }
}

extension Completion {
    /// The place in a command line to which the words so far have led.
    private struct Place {
        private var path: [String] = []
        private var command: CommandDescription
        private var positionals = 0
        private var given: Set<String> = []
        /// The option whose value comes next.
        private(set) var awaiting: ArgumentDescription?
        private(set) var readsOptions = true
        /// `lull help`: only commands follow.
        private var isHelp = false

        init(_ root: CommandDescription) { command = root }

        /// The command that reads the arguments: the default one where no subcommand has been named.
        private var reader: CommandDescription {
            command.defaultSubcommand.flatMap { command.subcommand($0) } ?? command
        }
        var readerPath: [String] { path + (command.defaultSubcommand.map { [$0] } ?? []) }
        private var arguments: [ArgumentDescription] {
            isHelp ? [] : (reader.arguments ?? []).filter(\.shouldDisplay)
        }

        mutating func pass(_ word: String) {
            if awaiting != nil {
                awaiting = nil
            } else if readsOptions, word == "--" {
                readsOptions = false
            } else if readsOptions, word.hasPrefix("-"), word.count > 1 {
                let name = String(word.prefix { $0 != "=" })
                given.insert(name)
                if let option = option(name), option.kind == "option", name == word { awaiting = option }
            } else if positionals == 0, let next = command.subcommand(word) {
                if path.isEmpty, !isHelp, word == "help" {
                    isHelp = true
                } else {
                    (command, path) = (next, path + [word])
                }
            } else {
                positionals += 1
            }
        }

        func option(_ name: String) -> ArgumentDescription? {
            arguments.first { $0.names?.contains { $0.text == name } == true }
        }

        /// All options that may be given here, without those given already that may be given once.
        var options: [Candidate] {
            arguments.filter { argument in
                argument.isRepeating || argument.names?.contains { given.contains($0.text) } != true
            }
            .flatMap { argument in
                (argument.names ?? []).map { Candidate(text: $0.text, meaning: argument.abstract ?? "") }
            }
        }

        var subcommands: [Candidate] {
            guard positionals == 0, readsOptions else { return [] }
            return command.shown.filter { !isHelp || $0.commandName != "help" }
                .map { Candidate(text: $0.commandName, meaning: $0.abstract ?? "") }
        }

        /// The next argument, and the one behind each argument that may be left out.
        var nextPositionals: [ArgumentDescription] {
            var next: [ArgumentDescription] = []
            let all = arguments.filter { $0.kind == "positional" }
            for (index, argument) in all.enumerated() where index >= positionals || argument.isRepeating {
                next.append(argument)
                if !argument.isOptional || argument.isRepeating { break }
            }
            return next
        }

        /// The parser's name of an argument whose completions are asked for.
        func parserName(of argument: ArgumentDescription) -> String {
            if let name = argument.names?.first { return name.text }
            let all = (reader.arguments ?? []).filter { $0.kind == "positional" }
            return "positional@\(all.firstIndex { $0.valueName == argument.valueName } ?? 0)"
        }
    }
}
