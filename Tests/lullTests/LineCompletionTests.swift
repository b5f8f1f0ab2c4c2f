import Testing

@testable import lull

/// The completions of each word of a command line, for every shell.
struct LineCompletionTests {
    private static let tool = Result { try ToolDescription.ofLull() }

    private func answer(_ words: [String]) throws -> Completion.Answer {
        // The parser is asked for the full name, such as `history show --task`.
        let completion = Completion(root: try Self.tool.get().command) { path, argument in
            [(path + [argument]).joined(separator: " ")]
        }
        return completion.answer(to: words)
    }

    private func texts(_ words: [String]) throws -> [String] { try answer(words).candidates.map(\.text) }

    @Test(arguments: [
        ["check", ""], ["run", "--once", "x"], ["diff", ""], ["simulate", ""], ["schema", ""],
        ["fleet", "apply", ""], ["import", "crontab", ""], ["import", "crontab", "one", ""],
        ["history", "import", ""], ["usage", "import", "app", ""], ["usage", "import", ""],
        ["plugin", "check", ""], ["status", "--manifest", ""], ["history", "import", "--manifest=", ""],
        ["push", "app", "--payload", ""], ["backtest", "--usage", ""], ["import", "timers", "--out", ""],
    ])
    func `a file is completed as one`(words: [String]) throws {
        #expect(try answer(words).paths == .files)
    }

    @Test(arguments: [
        ["status", "--state", ""], ["history", "--state", ""], ["fleet", "--state", ""],
        ["run", "--plugins", ""],
        ["history", "--state=x"], ["history", "--state", "="], ["import", "timers", ""],
        ["plugin", "new", "X", "--sdk", ""], ["import", "timers", "--root", ""],
    ])
    func `a folder is completed as one, and nothing stands beside it`(words: [String]) throws {
        #expect(try answer(words) == .init(paths: .folders))
    }

    @Test(arguments: [
        (["history", "--task", ""], "history show --task"),
        (["history", "show", "--app", ""], "history show --app"),
        (["why", ""], "why positional@0"), (["pause", "--for", "2h", ""], "pause positional@0"),
        (["notify", "test", ""], "notify test positional@0"),
        (["usage", "import", ""], "usage import positional@0"),
        (["transfers", ""], "transfers list positional@0"),
    ])
    func `a name is asked of the command that takes it`(words: [String], asked: String) throws {
        #expect(try texts(words).contains(asked) == asked.hasPrefix(words.last ?? ""))
    }

    @Test func `a word is a command of the group, or of the program`() throws {
        #expect(try texts(["hist"]) == ["history"])
        #expect(try texts(["history", "i"]) == ["import"])
        #expect(try texts(["help", "history", ""]) == ["show", "import"])
        #expect(try texts(["generate"]) == [])
        // After its argument `history` takes no subcommand.
        #expect(try !texts(["history", "17", ""]).contains("show"))
    }

    @Test func `an option comes once, and those of what is called by default as well`() throws {
        #expect(try texts(["history", "--fai"]) == ["--failed"])
        #expect(try texts(["history", "--failed", "--fai"]) == [])
        #expect(try texts(["history", "--event", "launched", "--event"]).contains("--event"))
        #expect(try texts(["status", "--", "--js"]) == [])
        // Where nothing else can come, the options are shown.
        #expect(try texts(["top", ""]).contains("--fleet"))
    }

    @Test func `a value of a list is one of those that begin so`() throws {
        #expect(try texts(["night", "--span", "w"]) == ["week"])
        #expect(try texts(["night", "--span=w"]) == ["week"])
        #expect(try texts(["night", "--span", "=", "w"]) == ["week"])
    }

    @Test func `a script is of the shell that is named, or of the user's`() {
        let option = "--generate-completion-script"
        #expect(CompletionScript(askedBy: [option, "fish"], shell: "/bin/zsh") == .fish)
        #expect(CompletionScript(askedBy: [option + "=bash"], shell: nil) == .bash)
        #expect(CompletionScript(askedBy: [option], shell: "/bin/zsh") == .zsh)
        #expect(CompletionScript(askedBy: [option, "csh"], shell: "/bin/zsh") == nil)
        #expect(CompletionScript(askedBy: ["status", option], shell: "/bin/zsh") == nil)
    }
}
