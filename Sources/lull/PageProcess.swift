import Dispatch
import Foundation
import Logging
import LullCommands
import LullWeb
import Synchronization

/// `lull web` beside a host: a process of its own, so that nothing that happens to it happens to the host.
///
/// It ends when this process does, however that ends, for then its standard input ends. Ends it before, it is
/// started again.
final class PageProcess: Sendable {
    private let arguments: [String]
    private let logger: Logger
    private let program: Mutex<Process?> = Mutex(nil)
    private let patience = Mutex(PagePatience())

    /// Returns once the page is served; throws why it can't be.
    init(options: StateOptions, manifest: String, address: WebAddress, web: WebOptions, logger: Logger) throws
    {
        arguments =
            ["web", "--beside-host", "--http", address.text, "--manifest", manifest]
            + ["--state", options.folder.path, "--sysfs", options.sysfs, "--procfs", options.procfs]
            + options.pluginPath.flatMap { ["--plugins", $0] } + web.arguments
        self.logger = logger
        let url = try start()
        logger.notice("The page is at \(url)")
    }

    /// The URL, which is its first and only line.
    private func start() throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        // Its other end is this process's alone.
        process.standardInput = Pipe()
        let life = PageLife()
        process.terminationHandler = { [weak self] _ in
            if let lived = life.end(at: .now) { self?.ended(after: lived) }
        }
        do {
            try process.run()
        } catch {
            throw Failure("The page can't be served: \(error.localizedDescription)")
        }
        program.withLock { $0 = process }
        var line = Data()
        while !line.contains(10) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            line += more
        }
        guard line.contains(10), life.isServed(at: .now) else {
            _ = life.end(at: .now)
            // It has said why to standard error.
            throw Failure("The page is not served, so nothing was started. Mend that, or leave --http out.")
        }
        return String(decoding: line.prefix { $0 != 10 }, as: UTF8.self)
    }

    /// `lived`: nil when it was not served at all.
    private func ended(after lived: Duration?) {
        let wait = patience.withLock { $0.afterEnd(lived: lived) }.components.seconds
        logger.error("The page's process has ended. It is started again in \(wait) s; the host goes on.")
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(wait))) { [weak self] in
            guard let self else { return }
            do {
                _ = try start()
            } catch {
                ended(after: nil)
            }
        }
    }
}
