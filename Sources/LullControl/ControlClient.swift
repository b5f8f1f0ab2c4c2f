import Foundation
import LullModel

/// A command's connection to a running host; blocking, for the command line.
public struct ControlClient: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let patience: Duration

    /// Connects to the host of a state folder. Throws `notRunning` when there is none.
    ///
    /// A host that is stopped or stuck is waited for as long as `patience`; the end of a run for any time.
    public init(stateFolder: String, patience: Duration = .seconds(30)) throws(ControlError) {
        let path = ControlAddress.path(in: stateFolder)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(operation: "make a socket", code: errno) }
        Self.limit(descriptor, SO_SNDTIMEO, patience)
        let connected = try ControlAddress.withAddress(path) { connect(descriptor, $0, $1) }
        guard connected == 0 else {
            let code = errno
            close(descriptor)
            switch code {
            case ENOENT, ECONNREFUSED: throw .notRunning(path: path)
            case EAGAIN: throw .noAnswer(path: path, patience)
            case EACCES, EPERM: throw .notAllowed(path: path)
            default: throw .system(operation: "connect to \(path)", code: code)
            }
        }
        self.descriptor = descriptor
        self.path = path
        self.patience = patience
    }

    /// No time: waits for ever.
    private static func limit(_ descriptor: Int32, _ direction: Int32, _ patience: Duration?) {
        let milliseconds = patience?.milliseconds ?? 0
        var time = timeval(
            tv_sec: Int(milliseconds / 1000), tv_usec: Int(milliseconds % 1000 * 1000))
        setsockopt(descriptor, SOL_SOCKET, direction, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends one request and waits for its answer.
    public func ask(_ request: ControlRequest) throws(ControlError) -> ControlResponse {
        let frame: [UInt8]
        do {
            frame = try ControlFrame.encode(ControlEnvelope(request: request))
        } catch {
            throw .notUnderstood("\(error)")
        }
        do {
            try write(frame)
        } catch .hostGone {
            // It may have said why before it went.
        }
        Self.limit(descriptor, SO_RCVTIMEO, request.isLong ? nil : patience)
        var buffer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let body = try ControlFrame.take(from: &buffer) {
                do {
                    return try JSONDecoder().decode(ControlResponse.self, from: body)
                } catch {
                    throw .notUnderstood("\(error)")
                }
            }
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                buffer.append(contentsOf: chunk[..<count])
            } else if count == 0 {
                throw .hostGone
            } else if errno != EINTR {
                if errno == EAGAIN { throw .noAnswer(path: path, patience) }
                throw errno == ECONNRESET
                    ? .hostGone : .system(operation: "read the host's answer", code: errno)
            }
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
                if errno == EAGAIN { throw .noAnswer(path: path, patience) }
                throw errno == EPIPE || errno == ECONNRESET
                    ? .hostGone : .system(operation: "ask the host", code: errno)
            }
        }
    }
}
