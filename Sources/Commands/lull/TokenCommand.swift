import ArgumentParser
import LullCommands
import LullControl
import LullModel
import LullSystem

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Give others a token for the page, with fewer rights than its own.",
        subcommands: [TokenNew.self, TokenList.self, TokenRevoke.self])
}

extension PageToken.Scope: ExpressibleByArgument {}

private struct TokenJSON: Encodable {
    let name: String
    let scope: String
    let actsOn: [AppIdentifier]
    let made: String
    /// Only of one that has just been made.
    let token: String?

    init(_ token: PageToken, _ text: String? = nil) {
        (name, scope, actsOn) = (token.name, token.scope.rawValue, token.apps)
        (made, self.token) = (token.made.rfc3339, text)
    }
}

/// A name for a token.
struct TokenNameArgument: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard PageToken.isName(argument) else { return nil }
        text = argument
    }
}

struct TokenNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a token, and print it once.",
        usage: "lull token new [<options>] <name>",
        discussion: """
            Whoever has the token may see or do on the page and its JSON what its scope says: `read` the \
            states, reasons and figures; see the `output` of runs and the commands of tasks too; or `act`. \
            With --app it may act on these apps and their tasks alone. A token with the same name is replaced, \
            and the old one is void. The state folder keeps only its hash. The page's log has a line for each \
            change, with the token's name.

            Examples:
              lull token new prometheus
              lull token new ci --scope act --app com.example.Shop
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: "Whom it is for: letters, digits, `.`, `_` and `-`.") var name: TokenNameArgument
    @Option(help: "What it permits: read, output or act.") var scope = PageToken.Scope.read
    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("The app on which it may act; may be repeated.", valueName: "app"))
    var apps: [String] = []
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        if !apps.isEmpty, scope != .act {
            throw ValidationError("--app limits what a token may do. It needs --scope act.")
        }
        if let wrong = apps.first(where: { AppIdentifier($0) == nil }) {
            throw ValidationError("'\(wrong)' is not an app's identifier, such as com.example.Shop.")
        }
    }

    func run() throws {
        let folder = try options.checkedFolder()
        try folder.create()
        let token = PageToken(
            name: name.text, scope: scope, apps: apps.compactMap { AppIdentifier($0) }, made: Clock.wall)
        let text: String
        do throws(WebError) {
            text = try PageTokens(stateFolder: folder.path).make(token)
        } catch {
            throw Failure(error.message)
        }
        let manifest = folder.lastManifest.flatMap { options.read($0).manifest }
        for app in token.apps where manifest?.apps.contains(where: { $0.identifier == app }) == false {
            Output.error("note: the manifest has no app \(app). `lull status` lists what there is.")
        }
        if json { return try Output.json(TokenJSON(token, text)) }
        Output.answer(text)
        Output.error(
            "It is shown this once, and may \(token.words). Send it in the header Authorization: Bearer TOKEN, or give it to the page's form."
        )
    }
}

struct TokenList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens that `lull token new` made.",
        usage: "lull token list [<options>]")

    @OptionGroup var options: StateOptions
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let folder = try options.checkedFolder().path
        let tokens: [PageToken]
        do throws(WebError) {
            tokens = try PageTokens(stateFolder: folder).all
        } catch {
            throw Failure(error.message)
        }
        if json { return try Output.json(tokens.map { TokenJSON($0) }) }
        guard !tokens.isEmpty else {
            return Output.answer("There are none. `lull token new NAME` makes one.")
        }
        let phrases = Phrases.current
        var table = Table(header: ["NAME", "MAY", "MADE"])
        for token in tokens {
            table.rows.append([.init(token.name), .init(token.words), .init(phrases.past(token.made))])
        }
        Output.answer(styled: table.rendered(for: .output))
    }
}

struct TokenRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Make a token void at once.",
        usage: "lull token revoke [<options>] <name>")

    @OptionGroup var options: StateOptions
    @Argument(help: "The token's name, as `lull token list` shows it.") var name: TokenNameArgument
    @Flag(help: "Print JSON.") var json = false

    private struct Done: Encodable {
        let done: Bool
        let message: String
    }

    func run() throws {
        let folder = try options.checkedFolder().path
        let isDone: Bool
        do throws(WebError) {
            isDone = try PageTokens(stateFolder: folder).revoke(name.text)
        } catch {
            throw Failure(error.message)
        }
        guard isDone else {
            throw Failure("There is no token \(name.text). `lull token list` shows those that there are.")
        }
        let message = "The token \(name.text) is void."
        if json { return try Output.json(Done(done: true, message: message)) }
        Output.answer(message)
    }
}
