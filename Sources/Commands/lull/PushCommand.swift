import ArgumentParser
import Glibc
import LullCommands
import LullControl
import LullHost
import LullModel

struct PushCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Send an app a push, which wakes it.",
        usage: "lull push [<options>] <name>",
        discussion: """
            The app needs `push` in its entry in jobs.yaml. A push is a run of the task APP.push. Exit code 0 \
            means that the push and its payload are in the history, and survive a crash of the host.

            A silent push waits for a good moment, 15 min at most, and for its quota, by default 3 an hour. If \
            several pushes wait, Lull delivers the newest, and tells the app how many it stands for. `lull why \
            APP.push` says what a push waits for. With --urgent Lull delivers it at once, even to an idle app; \
            the app must report it to people by `notify`.

            --new-token creates the token for `POST /push/APP` on the page's port, and replaces an older one. \
            It is shown once; the state folder keeps only its hash.

            Examples:
              lull push com.example.Mail --payload new.json
              echo '{"new": 3}' | lull push com.example.Mail --payload -
              lull push com.example.Phone --urgent --payload call.json
              lull push com.example.Mail --new-token
              lull push com.example.Phone --restore
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The app's identifier, such as com.example.Mail.") var name: AppName
    @Option(
        help: ArgumentHelp("A file with JSON, or `-` for standard input. Default {}.", valueName: "file"),
        completion: .file())
    var payload: String?
    @Flag(help: "Deliver it at once. The app must report it.") var urgent = false
    @Flag(help: "Create the app's token for POST /push/APP, and print it.") var newToken = false
    @Flag(help: "Let an app receive urgent pushes again after it lost that right.") var restore = false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func validate() throws {
        let deeds = [newToken, restore, payload != nil || urgent].count { $0 }
        guard deeds <= 1 else {
            throw ValidationError(
                "--new-token and --restore push nothing. Give one of them, and no --payload.")
        }
    }

    func run() throws {
        let app = try app(name)
        if restore { return try tell(Ask.RestoreUrgency(of: app), json: json) }
        if newToken { return try makeToken(app) }
        let push = Push(payload: try read(), isUrgent: urgent)
        try tell(Ask.Push(push, to: app), json: json)
    }

    private func makeToken(_ app: AppIdentifier) throws {
        _ = try ask(Ask.PushDoor(of: app))
        let folder = try options.checkedFolder()
        try folder.create()
        let token: String
        do {
            token = try PushTokens(stateFolder: folder.path).make(for: app)
        } catch {
            throw Failure(error.message)
        }
        if json { return try Output.json(["app": app.text, "token": token]) }
        Output.answer(token)
        Output.error(
            "It is shown this once. Send it to /push/\(app) in the header Authorization: Bearer TOKEN.")
    }

    /// Reads to the end, or until there is more than any app takes.
    private func read() throws -> String {
        guard let payload else { return "{}" }
        let file = payload == "-" ? STDIN_FILENO : open(payload, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else {
            throw Failure("\(payload) can't be read: \(String(cString: strerror(errno))).")
        }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= Limits.pushBytesMost {
            let count = Glibc.read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure("\(payload) can't be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        guard bytes.count <= Limits.pushBytesMost else {
            throw Failure(
                "The payload is longer than \(Phrase.size(Int64(Limits.pushBytesMost))), the most that an app can receive."
            )
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw Failure("The payload is not JSON: it is not UTF-8.")
        }
        return text
    }
}
