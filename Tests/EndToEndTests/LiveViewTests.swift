import Foundation
import Glibc
import TestSupport
import Testing

/// `lull top` and `lull status --watch` on a real terminal, of a real host.
struct LiveViewTests {
    private static let manifest = """
        version: 1
        apps:
          com.example.App:
            plugin: Tasks
            idle_after: never
            tasks:
              wait: { kind: processing, requires: { idle: false } }
              succeed: { kind: processing, requires: { idle: false } }
        """

    private func host() throws -> (Workshop, Program) {
        let workshop = try Workshop(tasks: Self.manifest)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        return (workshop, host)
    }

    @Test func `it draws, launches, follows the host, and gives the terminal back`() throws {
        let (workshop, host) = try host()
        let view = try Pseudoterminal(workshop, ["top"], columns: 80, rows: 20)
        try view.wait(for: "com.example.App.succeed")
        #expect(try view.modes() != view.modesBefore)
        view.type("l")
        try view.wait(for: "Launched as run")
        // The view shows changes by other commands, too.
        #expect(try workshop.lull("disable", "com.example.App").status == 0)
        try view.wait(for: "disabled")
        try view.resize(columns: 40, rows: 10)
        try view.wait(for: "\u{1B}[2J")
        view.type("q")
        #expect(try view.end() == 0)
        #expect(view.said.hasSuffix("\u{1B}[?1049l"))
        #expect(try view.modes() == view.modesBefore)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal that ends it gives the terminal back`(signal: Int32) throws {
        let (workshop, host) = try host()
        let view = try Pseudoterminal(workshop, ["status", "--watch"], columns: 60, rows: 12)
        try view.wait(for: "q quits")
        kill(view.process.processIdentifier, signal)
        #expect(try view.end() == 128 + signal)
        #expect(view.said.hasSuffix("\u{1B}[?1049l"))
        #expect(try view.modes() == view.modesBefore)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a host that goes away is said, and one that comes is taken up`() throws {
        let (workshop, host) = try host()
        let view = try Pseudoterminal(workshop, ["status", "--watch"], columns: 100, rows: 30)
        try view.wait(for: "com.example.App.succeed")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        try view.wait(for: "No host is running")
        let next = try workshop.start("run", "jobs.yaml")
        try view.wait(for: "As of")
        view.type("q")
        #expect(try view.end() == 0)
        next.send(SIGTERM)
        #expect(next.end() == 0)
    }

    @Test func `without a terminal or a host it says what to do instead`() throws {
        let workshop = try Workshop()
        try workshop.write("version: 1\napps: {}\n", to: "jobs.yaml")
        for arguments in [["top"], ["status", "--watch"]] {
            let result = try workshop.lull(arguments)
            #expect(result.status == 1)
            #expect(result.error.contains("draws on a terminal"), "\(result.error)")
            #expect(result.error.contains("lull status --json"))
        }
        let view = try Pseudoterminal(workshop, ["top"], columns: 80, rows: 24)
        #expect(try view.end() == 1)
        #expect(view.said.contains("No host is running"))
        let dumb = try Pseudoterminal(workshop, ["top"], columns: 80, rows: 24, terminal: "dumb")
        #expect(try dumb.end() == 1)
        #expect(dumb.said.contains("a terminal of type 'dumb' can't"))
    }
}

/// A terminal that a test reads from and types on, with `lull` or another program in it.
final class Pseudoterminal {
    let process = Process()
    private let ours: Int32
    private let theirs: Int32
    /// The terminal's modes when the program began.
    let modesBefore: tcflag_t
    private(set) var said = ""
    /// The position in `said` up to which `wait` has searched.
    private var seen = 0
    private var bytes: [UInt8] = []

    convenience init(
        _ workshop: Workshop, _ arguments: [String], columns: UInt16, rows: UInt16, terminal: String = "xterm"
    ) throws {
        try self.init(
            Workshop.products.appendingPathComponent("lull").path, arguments + ["--state", workshop.state],
            in: workshop.folder, environment: ["TERM": terminal], columns: columns, rows: rows)
    }

    init(
        _ program: String, _ arguments: [String], in folder: String, environment: [String: String],
        columns: UInt16, rows: UInt16
    ) throws {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        let opened = openpty(&ours, &theirs, nil, nil, &size)
        (self.ours, self.theirs) = (ours, theirs)
        modesBefore = try Self.modes(of: theirs)
        try #require(opened == 0)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let handle = FileHandle(fileDescriptor: theirs, closeOnDealloc: false)
        process.standardInput = handle
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        close(ours)
        close(theirs)
    }

    /// Reads on until `words` come after those of the last call; returns the text between.
    @discardableResult
    func wait(for words: String) throws -> String {
        while true {
            let unseen = said.dropFirst(seen)
            if let range = unseen.range(of: words) {
                seen = said.distance(from: said.startIndex, to: range.upperBound)
                return String(unseen[..<range.lowerBound])
            }
            guard read() else {
                Issue.record("It ended without showing '\(words)', but:\n\(said)")
                throw CancellationError()
            }
        }
    }

    /// False when no process has the terminal any more, or nothing has come for `hangLimit`.
    private func read() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        var ready = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
        for _ in 0..<Int(hangLimit / .milliseconds(100)) {
            if poll(&ready, 1, 100) > 0 {
                let count = Glibc.read(ours, &chunk, chunk.count)
                guard count > 0 else { return false }
                bytes += chunk[..<count]
                said = String(decoding: bytes, as: UTF8.self)
                return true
            }
            if !process.isRunning { return false }
        }
        return false
    }

    func type(_ keys: String) { _ = write(ours, keys, keys.utf8.count) }

    func resize(columns: UInt16, rows: UInt16) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(ours, UInt(TIOCSWINSZ), &size) == 0)
        // The kernel signals only the session of a controlling terminal; this terminal has none.
        kill(process.processIdentifier, SIGWINCH)
    }

    /// The terminal's local modes: line buffering, echo.
    func modes() throws -> tcflag_t { try Self.modes(of: theirs) }

    private static func modes(of terminal: Int32) throws -> tcflag_t {
        var modes = termios()
        try #require(tcgetattr(terminal, &modes) == 0)
        return modes.c_lflag
    }

    /// Waits for the process's end, and reads its output until then; returns the exit status, or minus the signal.
    func end() throws -> Int32 {
        while read() {}
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
