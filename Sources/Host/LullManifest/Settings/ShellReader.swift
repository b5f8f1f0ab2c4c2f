/// Reads a line as a shell would, and collects the programs, files and folders that it certainly needs.
///
/// It errs on one side only: if it is not sure, it reports no need. A command is sure unless a question comes before it
/// (`test -x /p &&`, `grep -q … ||`, `if …`), or an alternative to it comes after it.
struct ShellReader {
    /// The meaning of a command's success for the commands that follow.
    enum Outcome {
        case usual
        /// Its success is an answer: commands that depend on it are not sure.
        case question
        case exit
    }

    /// The folder that relative paths start from.
    enum Folder: Equatable {
        case first
        case known(String)
        case unknown
    }

    private let tokens: [ShellToken]
    private var position = 0
    let depth: Int
    var needs: [ShellText.Need] = []
    /// Whether programs without a path are looked for where the settings say.
    var isPathKnown = true
    var folder = Folder.first
    /// Whether the files that exist now are the files that the command will find.
    var areFilesKnown = true
    var functions: Set<String> = []
    /// Paths that earlier commands were given: those commands may make the files.
    var mentions: [String] = []
    /// Whether a command that fails ends the line, as after `set -e`.
    var failureEnds = false
    /// Nothing is sure from here on.
    var isOver = false

    private static let deepest = 12

    init(_ text: String, depth: Int = 0) {
        tokens = ShellToken.read(text)
        self.depth = depth
    }

    mutating func read() { list(until: [], isSure: true, level: 0) }

    private var next: ShellToken? {
        position < tokens.count ? tokens[position] : nil
    }

    private func isOperation(_ texts: Set<String>) -> Bool {
        if case .operation(let text)? = next { texts.contains(text) } else { false }
    }

    private mutating func list(until closing: Set<String>, isSure: Bool, level: Int) {
        guard level + depth < Self.deepest else {
            isOver = true
            return
        }
        while !isOver, let token = next {
            switch token {
            case .operation(")"):
                if !closing.contains(")") { isOver = true }
                return
            case .operation(";"), .operation("&"), .operation("\n"): position += 1
            case .word:
                if let word = token.keyword, closing.contains(word) { return }
                sequence(isSure: isSure, level)
            case .operation("("), .redirection: sequence(isSure: isSure, level)
            default: isOver = true
            }
        }
    }

    /// `a && b || c`
    private mutating func sequence(isSure: Bool, _ level: Int) {
        let (wasSure, start) = (isSure, needs.count)
        var isSure = isSure
        var wasQuestion = false
        while !isOver {
            let outcome = pipeline(isSure: isSure, level)
            // It is not known whether an alternative follows.
            if isOver { return needs.removeSubrange(start...) }
            // After `cd /x || exit` the next commands are as sure as before it, after `test … || exit` they are not.
            if outcome == .exit, isSure || wasQuestion || !wasSure { isOver = true }
            let isJoined = isOperation(["&&", "||"])
            if outcome == .question, failureEnds, !isJoined { isOver = true }
            guard isJoined else { return }
            wasQuestion = wasQuestion || outcome == .question
            let isAlternative = isOperation(["||"])
            position += 1
            while isOperation(["\n"]) { position += 1 }
            if isAlternative {
                if !reports(next) { needs.removeSubrange(start...) }
                isSure = false
            } else if outcome == .question {
                isSure = false
            }
        }
    }

    /// Whether a command behind `||` only reports the failure.
    private func reports(_ token: ShellToken?) -> Bool {
        let reporting: Set<String> = ["exit", "echo", "printf", "logger", "mail", "mailx", "curl", "wget"]
        return token?.keyword.map(reporting.contains) ?? false
    }

    private mutating func pipeline(isSure: Bool, _ level: Int) -> Outcome {
        var outcome = Outcome.usual
        var isNegated = false
        while next?.keyword == "!" {
            position += 1
            isNegated = true
        }
        var count = 0
        let (folder, isPathKnown) = (folder, isPathKnown)
        while !isOver {
            let one = command(isSure: isSure, level)
            count += 1
            // In a pipeline `exit` ends its own part only.
            outcome = one == .question || outcome == .question ? .question : count > 1 ? .usual : one
            guard !isOver, isOperation(["|", "|&"]) else { break }
            position += 1
            while isOperation(["\n"]) { position += 1 }
        }
        if count > 1 { (self.folder, self.isPathKnown) = (folder, isPathKnown) }
        return isNegated ? .question : outcome
    }

    private mutating func command(isSure: Bool, _ level: Int) -> Outcome {
        if isOperation(["("]) {
            position += 1
            if isOperation(["("]) { return giveUp() }
            let (folder, isPathKnown) = (folder, isPathKnown)
            list(until: [")"], isSure: isSure, level: level + 1)
            // What ended the subshell did not end the line.
            guard isOperation([")"]) else { return giveUp() }
            (self.folder, self.isPathKnown) = (folder, isPathKnown)
            return behindGroup(.usual)
        }
        while next?.keyword == "time" { position += 1 }
        switch next?.keyword {
        case "{":
            position += 1
            list(until: ["}"], isSure: isSure, level: level + 1)
            guard next?.keyword == "}" else { return giveUp() }
            return behindGroup(.usual)
        case "[[":
            while let token = next, token.keyword != "]]" {
                if token == .unreadable { return giveUp() }
                position += 1
            }
            return behindGroup(.question)
        case "for": return loop(isSure: isSure, level)
        case "if", "while", "until", "case", "select", "function", "coproc", "then", "do", "done", "fi",
            "esac",
            "else", "elif", "}":
            // The commands in them are conditional, and those that follow may be, too.
            return giveUp()
        default: return simple(isSure: isSure, level)
        }
    }

    private mutating func giveUp() -> Outcome {
        isOver = true
        return .exit
    }

    /// Skips the closing word and its redirections.
    private mutating func behindGroup(_ outcome: Outcome) -> Outcome {
        position += 1
        while case .redirection? = next { position += 2 }
        return outcome
    }

    /// `for NAME in WORDS; do … done`
    private mutating func loop(isSure: Bool, _ level: Int) -> Outcome {
        while let token = next, token.keyword != "do" {
            if token == .unreadable || isOperation(["(", ")", "&", "|", "&&", "||"]) { return giveUp() }
            position += 1
        }
        guard next != nil else { return giveUp() }
        position += 1
        list(until: ["done"], isSure: isSure, level: level + 1)
        guard next?.keyword == "done" else { return giveUp() }
        return behindGroup(.usual)
    }

    private mutating func simple(isSure: Bool, _ level: Int) -> Outcome {
        var words: [ShellToken] = []
        var targets: [String] = []
        var opened: [(path: String, isOutput: Bool)] = []
        loop: while let token = next {
            switch token {
            case .word: words.append(token)
            case .redirection(let isOutput):
                position += 1
                guard let path = next?.plain else { break }
                targets.append(path)
                if let isOutput, path.hasPrefix("/") { opened.append((path, isOutput)) }
            case .operation("("):
                // `name () { … }` makes a function; anything else is not known.
                guard words.count == 1, let name = words[0].keyword else { return giveUp() }
                functions.insert(name)
                return giveUp()
            case .unreadable:
                return giveUp()
            case .operation: break loop
            }
            position += 1
        }
        defer { mentions += targets }
        if isSure { open(opened) }
        return run(words, isSure: isSure)
    }
}
