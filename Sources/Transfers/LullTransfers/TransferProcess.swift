private import CLullShims
private import Glibc
import LullModel
import LullSystem

/// The host's side of one `lull-transfer`.
///
/// It lives as long as the process: it passes on its news, and reports its end once, after all of them. Closing the
/// socket lets the process finish what is under way, and then exit by itself.
final class TransferProcess {
    let user: TransferUser?
    let folders: Set<String>
    private let loop: EventLoop
    private let spawn: TransferSpawn
    private var socket: FrameSocket?
    /// The removals that it was sent and has not confirmed.
    private(set) var removals: [TransferFrame] = []
    private(set) var signs = SignsOfLife()
    /// It had nothing to do when it was let go, so it should end at once.
    private(set) var isDismissed = false
    /// Why the host ended it; nil: it did not.
    private var hanging: String?
    private var errors: Int32
    private var line: [UInt8] = []
    private let log: (String) -> Void
    private let hear: (TransferProcess, TransferID, UInt64, TransferNews) -> Void
    private let ended: (TransferProcess, String) -> Void

    /// Something of it could not be started.
    struct Refusal: Error { let sentence: String }

    /// A longer line on its standard error is split.
    private static let lineBytes = 4096

    init(
        _ executable: String, mark: String, as user: TransferUser?, folders: Set<String>,
        environment: [String], on loop: EventLoop, log: @escaping (String) -> Void,
        hear: @escaping (TransferProcess, TransferID, UInt64, TransferNews) -> Void,
        ended: @escaping (TransferProcess, String) -> Void
    ) throws(Refusal) {
        do throws(TransferSpawn.Refusal) {
            spawn = try TransferSpawn(executable, mark: mark, environment: environment)
        } catch {
            throw Refusal(sentence: error.sentence)
        }
        errors = spawn.errors
        self.user = user
        self.folders = folders
        self.loop = loop
        self.log = log
        self.hear = hear
        self.ended = ended
        do throws(LoopError) {
            try listen()
        } catch {
            kill(spawn.pid, SIGKILL)
            waitpid(spawn.pid, nil, 0)
            throw Refusal(sentence: error.message)
        }
        send(.user(user))
        for folder in folders.sorted() { send(.folder(folder)) }
        send(.confine)
    }

    deinit {
        loop.forget(spawn.pidfd)
        close(spawn.pidfd)
        closeErrors()
    }

    private func listen() throws(LoopError) {
        socket = try FrameSocket(spawn.socket, on: loop) { [unowned self] in
            receive($0)
        } ended: {
            // The kernel reports its end.
        }
        try loop.watch(spawn.errors, .readable) { [unowned self] _ in hearComplaints() }
        try loop.watch(spawn.pidfd, .readable) { [weak self] _ in self?.hearEnd() }
    }

    /// Sends a frame. False: it is too long, and nothing of it was sent.
    @discardableResult
    func send(_ frame: TransferFrame) -> Bool {
        guard let bytes = frame.encoded() else { return false }
        if case .remove = frame { removals.append(frame) }
        socket?.send(bytes)
        return true
    }

    /// Lets it finish what is under way, and exit.
    func letGo() {
        socket?.close()
        socket = nil
    }

    /// Lets a process without work exit.
    func dismiss() {
        isDismissed = true
        letGo()
    }

    /// Asks for a sign of life, or ends a process that gives none.
    func ask(every interval: Duration) {
        if signs.mayAsk() {
            send(.ask)
            return
        }
        // A process that waits for a disk or a share ends only after that.
        guard hanging == nil else { return }
        let how = "did not answer for \(Phrase.span(SignsOfLife.patience(interval))), so Lull ended it"
        hanging = how
        log("lull-transfer (process \(number)) \(how).")
        kill(spawn.pid, SIGKILL)
    }

    var isLetGo: Bool { socket == nil }
    /// Whether it still takes frames: it may have ended before the loop knows.
    var isListening: Bool { !isLetGo && lull_is_hung_up(spawn.socket) == 0 }
    var number: Int32 { spawn.pid }

    private func receive(_ bytes: ArraySlice<UInt8>) {
        signs.didAnswer()
        switch ProcessFrame(bytes) {
        case .hello(let version):
            guard version != ProcessFrame.version else { return }
            log("lull-transfer is of another version. Install lull and lull-transfer of one version.")
            kill(spawn.pid, SIGTERM)
        case .news(let id, let attempt, let news): hear(self, id, attempt, news)
        case .alive: break
        case .removed: if !removals.isEmpty { removals.removeFirst() }
        case nil: log("lull-transfer sent an unknown message, which is ignored.")
        }
    }

    private func hearEnd() {
        guard let how = spawn.reap() else { return }
        loop.forget(spawn.pidfd)
        // News that it sent before its end count.
        socket?.drain()
        letGo()
        hearComplaints()
        if !line.isEmpty { tellLine() }
        closeErrors()
        ended(self, hanging ?? how)
    }

    private func hearComplaints() {
        var buffer = [UInt8](repeating: 0, count: Self.lineBytes)
        guard errors >= 0 else { return }
        let count = read(errors, &buffer, buffer.count)
        if count == 0 { closeErrors() }
        for byte in buffer.prefix(max(count, 0)) {
            if byte != UInt8(ascii: "\n") { line.append(byte) }
            if byte == UInt8(ascii: "\n") || line.count >= Self.lineBytes { tellLine() }
        }
    }

    private func tellLine() {
        log(String(decoding: line, as: UTF8.self).terminalSafe)
        line = []
    }

    private func closeErrors() {
        guard errors >= 0 else { return }
        loop.forget(errors)
        close(errors)
        errors = -1
    }
}
