import Glibc
import LullModel

/// A command's connection to a running host; blocking, for the command line.
public struct ControlClient: ~Copyable {
    private let descriptor: Int32
    private let stateFolder: String
    private let path: String
    private let timeout: Duration

    /// Connects to the host of a state folder. Throws `notRunning` when there is none.
    ///
    /// It waits for `timeout` for a host that is stopped or stuck, and for the end of a run as long as the host answers others.
    public init(stateFolder: String, timeout: Duration = .seconds(30)) throws(ControlError) {
        let path = ControlAddress.path(in: stateFolder)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(operation: "make a socket", code: errno) }
        Self.limit(descriptor, SO_SNDTIMEO, timeout)
        let connected = try ControlAddress.withAddress(path) { connect(descriptor, $0, $1) }
        guard connected == 0 else {
            let code = errno
            close(descriptor)
            switch code {
            case ENOENT, ECONNREFUSED: throw .notRunning(path: path)
            case EAGAIN: throw .noAnswer(path: path, timeout)
            case EACCES, EPERM: throw .notAllowed(path: path)
            default: throw .system(operation: "connect to \(path)", code: code)
            }
        }
        self.descriptor = descriptor
        self.stateFolder = stateFolder
        self.path = path
        self.timeout = timeout
    }

    private static func limit(_ descriptor: Int32, _ direction: Int32, _ timeout: Duration) {
        let milliseconds = timeout.milliseconds
        var time = timeval(
            tv_sec: Int(milliseconds / 1000), tv_usec: Int(milliseconds % 1000 * 1000))
        setsockopt(descriptor, SOL_SOCKET, direction, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The process that answers; nil: it can't be seen from here.
    public var hostProcess: Int32? { ControlPeer(descriptor).map(\.process).flatMap { $0 > 0 ? $0 : nil } }

    /// Asks and waits for the answer; a refusal is an error. `bearer`: of an act over the page.
    public func ask<Q: Question>(
        _ question: Q, for bearer: Bearer? = nil
    ) throws(ControlError) -> Q.Answer {
        let frame: [UInt8]
        do {
            frame = try ControlFrame.encode(question, for: bearer)
        } catch {
            throw .notUnderstood("\(error)")
        }
        guard frame.count <= ControlFrame.limit else { throw .importTooLong(frame.count) }
        do {
            try write(frame)
        } catch .hostGone {
            // The host may have sent a reason before it went.
        }
        Self.limit(descriptor, SO_RCVTIMEO, Q.isLong ? timeout * Self.longer : timeout)
        var buffer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let body = try ControlFrame.take(from: &buffer) {
                return try ControlFrame.answer(to: Q.self, body)
            }
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                buffer.append(contentsOf: chunk[..<count])
            } else if count == 0 {
                throw .hostGone
            } else if errno == EAGAIN {
                guard Q.isLong, Self.answers(stateFolder, timeout) else {
                    throw .noAnswer(path: path, timeout)
                }
            } else if errno != EINTR {
                throw errno == ECONNRESET
                    ? .hostGone : .system(operation: "read the host's answer", code: errno)
            }
        }
    }

    /// How many timeouts a client waits for a long answer before it checks whether the host still lives.
    private static let longer = 10

    private static func answers(_ stateFolder: String, _ timeout: Duration) -> Bool {
        do throws(ControlError) {
            _ = try ControlClient(stateFolder: stateFolder, timeout: timeout).ask(Ask.Names())
            return true
        } catch {
            if case .refused = error { return true }
            if case .busy = error { return true }
            return false
        }
    }

    private func write(_ frame: [UInt8]) throws(ControlError) {
        var sent = 0
        while sent < frame.count {
            let count = frame[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                if errno == EAGAIN { throw .noAnswer(path: path, timeout) }
                throw errno == EPIPE || errno == ECONNRESET
                    ? .hostGone : .system(operation: "ask the host", code: errno)
            }
        }
    }
}
