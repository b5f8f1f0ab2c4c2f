import ArgumentParser
import Dispatch
import Foundation
import Glibc
import LullCommands
import LullWeb

struct WebCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Serve a page that shows the host, and /metrics.",
        usage: "lull web [<options>]",
        discussion: """
            Serves what `lull run --http` serves beside its host; this shows the host that runs, or the state that \
            the last one left. The address that it prints carries the token that buttons and outputs ask for. The \
            token is also in the state folder, in the file http-token.

            Examples:
              lull web
              lull web --http 127.0.0.1:9000
              curl -s http://127.0.0.1:8320/metrics
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "address:port"))
    var http = WebAddressArgument(.usual)
    @OptionGroup var web: WebOptions
    /// Started by a host: ends with it, and tells it when it listens.
    @Flag(help: .hidden) var besideHost = false

    func run() throws {
        do {
            try serve()
        } catch let error as WebError {
            throw Failure(error.message)
        }
    }

    private func serve() throws {
        let listener = try listen()
        let folder = try options.checkedFolder()
        try folder.create()
        let token = try WebToken.ofState(in: folder.path)
        if besideHost { endWithHost() }
        let doors = WebGuard(
            token: token, names: Set(web.httpName.map { $0.lowercased() }),
            isOpen: !listener.address.isLoopback)
        let answers = PageAnswers(options: options, manifest: manifestOption.path)
        let site = WebSite(
            answers: answers, doors: doors, pushes: PushGuard(stateFolder: folder.path),
            version: Lull.configuration.version)
        let server = WebServer(listener: listener, site: site)
        let end = DispatchSemaphore(value: 0)
        let failure = FirstValue<WebError>()
        let isBeside = besideHost
        Task {
            do throws(WebError) {
                try await server.run {
                    let url = "http://\(listener.address.text)/#token=\(token.text)"
                    if isBeside { Output.answer(url) } else { Output.error("The page is at \(url)") }
                }
            } catch {
                failure.set(error)
            }
            end.signal()
        }
        end.wait()
        if let error = failure.value { throw error }
    }

    /// A host has opened the socket, and hands it over.
    private func listen() throws(WebError) -> WebListener {
        if besideHost { return try WebListener(given: STDIN_FILENO) }
        try web.check(http.address)
        return try WebListener(at: http.address)
    }

    /// Signals that end the host are for the host; when it is gone, nobody reads standard output.
    private func endWithHost() {
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        Thread.detachNewThread {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&output, 1, -1) < 1 {}
            _exit(0)
        }
    }
}
