import Dispatch
import Foundation
import Glibc
import Logging
import LullCommands
import LullControl
import Synchronization

/// Where `lull run` serves its page, and with which options.
struct PagePlace {
    let address: WebAddress
    /// The service manager's socket, which listens there already; nil: this process opens one.
    var given: WebListener?
    let options: WebOptions
}

/// `lull web` beside a host: a process of its own, so that its failures do not touch the host.
///
/// The process gets the listening socket as its standard input, like a service of inetd. This process keeps the socket, so
/// that no other program takes the port while the page restarts. The page ends when this process does, however that
/// ends, because its standard output, a socket, has no other end then. A page that hangs is ended, and starts again. A page
/// that can't be served keeps no task from running.
final class PageProcess: Sendable {
    private struct State {
        var listener: WebListener?
        var program: Process?
        var backoff = RestartBackoff(longest: .seconds(60))
        /// Why the page is not served; nil: it is.
        var trouble: String?
    }

    private let address: WebAddress
    private let arguments: [String]
    private let logger: Logger
    private let state: Mutex<State>

    /// Returns once the page is served, or cannot be for now.
    init(options: StateOptions, manifest: String, place: PagePlace, logger: Logger) {
        address = place.address
        arguments =
            ["web", "--beside-host", "--manifest", manifest]
            + ["--state", options.folder.path, "--sysfs", options.sysfs, "--procfs", options.procfs]
            + options.pluginPath.flatMap { ["--plugins", $0] } + place.options.arguments
        self.logger = logger
        state = Mutex(State(listener: place.given))
        serve()
    }

    /// Why the page is not served; nil: it is.
    var trouble: String? { state.withLock(\.trouble) }

    private func serve() {
        do {
            let url = try start()
            state.withLock { $0.trouble = nil }
            logger.notice("The page is at \(url)")
        } catch let error as WebError {
            tryLater(after: nil, error.message)
        } catch {
            tryLater(after: nil, "\(error)")
        }
    }

    /// Starts the page and returns its URL, which is the first and only line of its output.
    private func start() throws -> String {
        let listener = try state.withLock { state in
            let listener = try state.listener ?? WebListener(at: address)
            state.listener = listener
            return listener
        }
        let program = CompanionProgram(named: WebArguments.program)
        guard access(program.path, X_OK) == 0 else {
            throw Failure("The page can't be served. " + program.missing)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.path)
        process.arguments = arguments
        process.standardInput = FileHandle(fileDescriptor: listener.descriptor, closeOnDealloc: false)
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure("The page can't be served: \(String(cString: strerror(errno))).")
        }
        let output = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        process.standardOutput = output
        let signs = ProcessSigns(channel: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true))
        let life = PageLife()
        process.terminationHandler = { [weak self] _ in
            if let lived = life.end(at: .now) {
                let how = signs.sentence ?? "its process has ended"
                self?.tryLater(after: lived, "The page is not served: \(how).")
            }
        }
        do {
            try process.run()
        } catch {
            throw Failure("The page can't be served: \(error.localizedDescription)")
        }
        try? output.close()
        state.withLock { $0.program = process }
        let line = signs.firstLine(of: process)
        guard line.contains(10), life.isServed(at: .now) else {
            _ = life.end(at: .now)
            let how = signs.sentence ?? "its process ended, and said why to standard error"
            throw Failure("The page can't be served: \(how).")
        }
        signs.watch(process)
        return String(decoding: line.prefix { $0 != 10 }, as: UTF8.self)
    }

    /// `lived`: nil when it was not served at all.
    private func tryLater(after lived: Duration?, _ sentence: String) {
        let (wait, isNews) = state.withLock { state in
            defer { state.trouble = sentence }
            return (state.backoff.afterEnd(lived: lived).components.seconds, state.trouble != sentence)
        }
        // A trouble that lasts for days is logged once.
        if isNews {
            logger.error("\(sentence) Lull tries again in \(wait) s, and keeps trying; the host goes on.")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(wait))) { [weak self] in
            self?.serve()
        }
    }
}
