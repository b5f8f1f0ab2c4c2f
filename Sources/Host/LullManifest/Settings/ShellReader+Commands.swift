extension ShellReader {
    /// Notes what a simple command needs, and what it changes for later commands.
    mutating func run(_ words: [ShellToken], isSure: Bool) -> Outcome {
        var rest = words[...]
        let assigned = rest.prefix { Self.variable($0) != nil }
        rest = rest.dropFirst(assigned.count)
        let setsPath = assigned.contains { Self.variable($0) == "PATH" }
        guard let first = rest.first else {
            if setsPath { isPathKnown = false }
            return .usual
        }
        defer { remember(rest) }
        guard let name = first.plain, !name.isEmpty else { return .usual }
        if case .word(_, _, isQuoted: false) = first, ShellVocabulary.own.contains(name) {
            if let outcome = runOwn(name, rest.dropFirst(), isSure: isSure) { return outcome }
        }
        let wasKnown = isPathKnown
        if setsPath { isPathKnown = false }
        if isSure { need(rest, level: 0) }
        isPathKnown = wasKnown
        return outcome(of: name)
    }

    /// The outcome of a command that the shell itself carries out; nil if it runs a program.
    private mutating func runOwn(_ name: String, _ arguments: ArraySlice<ShellToken>, isSure: Bool)
        -> Outcome?
    {
        let options = arguments.compactMap(\.plain).filter { $0.hasPrefix("-") || $0.hasPrefix("+") }
        switch name {
        case "cd", "pushd", "popd": change(to: arguments, isSure: isSure && name == "cd")
        case "export", "declare", "typeset", "local", "readonly":
            if arguments.contains(where: { Self.variable($0) == "PATH" }) { isPathKnown = false }
        case ".", "source", "eval":
            if isSure, name != "eval", let path = arguments.first?.plain, path.hasPrefix("/") {
                add(.file(path), at: path)
            }
            isPathKnown = false
            folder = .unknown
        case "alias", "hash", "enable", "emulate", "autoload": isPathKnown = false
        case "set":
            let names = arguments.compactMap(\.plain)
            failureEnds =
                failureEnds || names.contains("errexit")
                || options.contains { $0.hasPrefix("-") && $0.contains("e") }
        case "test", "[", "false", "read", "type", "whence", "where", "which", "getopts", "let":
            return .question
        case "exit", "return", "logout", "break", "continue": return .exit
        case "command", "builtin", "exec":
            if options.contains(where: { ["-v", "-V"].contains($0) }) { return .question }
            guard !arguments.isEmpty else { return .usual }
            if options.isEmpty, isSure, name != "builtin" { need(arguments, level: 1) }
            return name == "exec" ? .exit : .usual
        default: break
        }
        return .usual
    }

    private mutating func change(to arguments: ArraySlice<ShellToken>, isSure: Bool) {
        guard isSure, arguments.count == 1, let path = arguments.first?.plain, !path.hasPrefix("-") else {
            folder = .unknown
            return
        }
        if path.hasPrefix("/") {
            folder = .known(path)
        } else if case .known(let outer) = folder {
            folder = .known(outer + "/" + path)
        } else {
            folder = .unknown
        }
    }

    /// Notes the program that the words name, and what that program runs or reads.
    private mutating func need(_ words: ArraySlice<ShellToken>, level: Int) {
        guard level < 8, let name = words.first?.plain, !name.isEmpty else { return }
        let isOwn = words.first?.keyword.map { ShellVocabulary.own.contains($0) } ?? false
        if !isOwn { add(.program(name), at: name) }
        let arguments = words.dropFirst()
        let base = Path.name(of: name)
        if let wrapper = ShellVocabulary.wrappers[base] {
            wrapped(arguments, by: wrapper, level: level)
        } else if ShellVocabulary.shells.contains(base) {
            shell(arguments)
        } else if let options = ShellVocabulary.interpreters[base] {
            let rest = arguments.drop { $0.plain.map(options.contains) ?? false }
            if let path = rest.first?.plain, path.contains("/"), !path.hasPrefix("-") {
                add(.file(path), at: path)
            }
        }
    }

    /// The command in the arguments of `nice`, `flock` or `env`.
    private mutating func wrapped(_ words: ArraySlice<ShellToken>, by wrapper: ShellWrapper, level: Int) {
        var rest = words
        var operands = wrapper.operands
        let (wasKnown, oldFolder) = (isPathKnown, folder)
        defer { (isPathKnown, folder) = (wasKnown, oldFolder) }
        if !wrapper.keepsPath { isPathKnown = false }
        while let word = rest.first {
            if wrapper.takesVariables, let variable = Self.variable(word) {
                if variable == "PATH" { isPathKnown = false }
                rest = rest.dropFirst()
                continue
            }
            guard let text = word.plain else {
                // A variable may hold the lock or the duration.
                guard operands > 0 else { return }
                operands -= 1
                rest = rest.dropFirst()
                continue
            }
            if text == "--" {
                rest = rest.dropFirst()
            } else if wrapper.code.contains(text) {
                return code(rest.dropFirst().first)
            } else if text.hasPrefix("-"), text.count > 1 {
                guard let count = wrapper.length(ofOption: text) else { return }
                if wrapper.clearing.contains(text) { isPathKnown = false }
                rest = rest.dropFirst(count)
            } else if operands > 0 {
                operands -= 1
                rest = rest.dropFirst()
                // `flock FILE -c 'COMMAND'`
                if operands == 0, let option = rest.first?.plain, wrapper.code.contains(option) {
                    return code(rest.dropFirst().first)
                }
            } else {
                return need(rest, level: level + 1)
            }
        }
    }

    /// `sh -c 'COMMAND'`, or `sh FILE`.
    private mutating func shell(_ words: ArraySlice<ShellToken>) {
        let options = words.prefix { $0.plain?.hasPrefix("-") ?? false }.compactMap(\.plain)
        let rest = words.dropFirst(options.count)
        guard options.allSatisfy({ $0.dropFirst().allSatisfy { "ceuxlfn".contains($0) } }) else { return }
        if options.contains(where: { $0.contains("c") }) {
            // A login shell looks for programs elsewhere.
            guard !options.contains(where: { $0.contains("l") }) else { return }
            code(rest.first, failureEnds: options.contains { $0.contains("e") })
        } else if let path = rest.first?.plain, path.contains("/") {
            add(.file(path), at: path)
        }
    }

    private mutating func code(_ word: ShellToken?, failureEnds: Bool = false) {
        guard let text = word?.plain, depth < 4 else { return }
        var inner = ShellReader(text, depth: depth + 1)
        inner.isPathKnown = isPathKnown
        inner.folder = folder
        inner.areFilesKnown = areFilesKnown
        inner.functions = functions
        inner.mentions = mentions
        inner.failureEnds = failureEnds
        inner.read()
        needs += inner.needs
    }

    private mutating func add(_ need: ShellText.Need, at name: String) {
        guard name.contains("/") else {
            if isPathKnown, !functions.contains(name), name.contains(where: \.isLetter) { needs.append(need) }
            return
        }
        guard areFilesKnown, !mentions.contains(where: { Self.mayMake(name, $0) }) else { return }
        var path = name
        if !name.hasPrefix("/") {
            switch folder {
            case .first: break
            case .known(let outer):
                path = outer + "/" + (name.hasPrefix("./") ? String(name.dropFirst(2)) : name)
            case .unknown: return
            }
        }
        switch need {
        case .program: needs.append(.program(path))
        case .folder: needs.append(.folder(path))
        case .file: needs.append(.file(path))
        }
    }

    /// A file that a command reads has to exist; for a file that it writes, the folder has to exist.
    mutating func open(_ files: [(path: String, isOutput: Bool)]) {
        for file in files where !file.path.hasPrefix("/dev/") {
            if !file.isOutput {
                add(.file(file.path), at: file.path)
            } else if let slash = file.path.lastIndex(of: "/"), slash != file.path.startIndex {
                let folder = String(file.path[..<slash])
                add(.folder(folder), at: folder)
            }
        }
    }

    /// Whether a command that was given the path `given` may make `path`: inside it, or under the same name.
    private static func mayMake(_ path: String, _ given: String) -> Bool {
        let outer = given.hasSuffix("/") ? given : given + "/"
        return path.hasPrefix(outer) || Path.name(of: path) == Path.name(of: given)
    }

    /// Remembers the words of a command, for later commands.
    private mutating func remember(_ words: ArraySlice<ShellToken>) {
        let names = words.prefix(8).compactMap(\.plain).map { Path.name(of: $0) }
        if names.contains(where: ShellVocabulary.makers.contains) { areFilesKnown = false }
        if names.contains(where: ShellVocabulary.installers.contains) { isPathKnown = false }
        guard let name = names.first, !["cd", "test", "["].contains(name) else { return }
        for case .word(let text, _, _) in words.dropFirst() where text.contains("/") && mentions.count < 200 {
            mentions.append(text.split(separator: "=").last.map(String.init) ?? text)
        }
    }

    private func outcome(of name: String) -> Outcome {
        let base = Path.name(of: name)
        let asks = ["is-", "is_", "has-", "has_", "check", "can-", "can_", "should", "only", "if-", "in-"]
        return ShellVocabulary.questions.contains(base) || asks.contains(where: base.hasPrefix)
            ? .question : .usual
    }

    /// The variable that a word sets.
    static func variable(_ token: ShellToken) -> String? {
        guard case .word(let text, _, _) = token, let equals = text.firstIndex(of: "="),
            let first = text.first, first.isLetter || first == "_"
        else { return nil }
        let name = text[..<equals].hasSuffix("+") ? text[..<equals].dropLast() : text[..<equals]
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(name) : nil
    }
}
