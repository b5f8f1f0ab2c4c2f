import Dispatch
import Foundation
import Glibc
import LullCommands
import LullControl
import LullModel
import LullSystem
import LullWeb

extension WebArguments: RunnableArguments {
    package func run() throws {
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
            token: token, tokens: PageTokens(stateFolder: folder.path),
            names: Set(web.httpName.map { $0.lowercased() }),
            isOpen: web.httpOpen || !listener.address.isLoopback, userHeader: web.httpUserHeader)
        let answers = PageAnswers(options: options, manifest: manifestOption.path)
        // The journal knows the time of each line.
        let isInJournal = JournalSocket.ofStandardError() != nil
        let site = WebSite(
            answers: answers, doors: doors, pushes: PushGuard(stateFolder: folder.path),
            version: LullVersion.text,
            audit: { Output.error(WebSite.logLine($0, at: isInJournal ? nil : Clock.wall)) })
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

    /// A host that has started this process has opened the socket, and hands it over.
    private func listen() throws(WebError) -> WebListener {
        if besideHost { return try WebListener(given: STDIN_FILENO) }
        try web.check(http.address)
        return try WebListener(at: http.address)
    }

    /// Signals that end the host are for the host; once it is gone, standard output, a socket, has no other end. From
    /// there the host asks for signs of life. A thread pool that hangs gives none.
    private func endWithHost() {
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        Thread.detachNewThread {
            var question: UInt8 = 0
            while true {
                let count = read(STDOUT_FILENO, &question, 1)
                guard count == 1 || (count < 0 && errno == EINTR) else { _exit(0) }
                if count == 1 { Task { write(STDOUT_FILENO, "\n", 1) } }
            }
        }
    }
}
