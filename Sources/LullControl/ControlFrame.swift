import Foundation
import LullModel

/// A frame of the control socket: four bytes of length, little-endian, then JSON.
enum ControlFrame {
    /// Of an import or an answer: histories are read from the database, so no honest frame comes near this.
    static let limit = 64 << 20

    static func encode(_ value: some Encodable) throws -> [UInt8] { frame(try JSONEncoder().encode(value)) }

    /// With what it asks at its beginning, so that the host knows it before it has all of it.
    static func encode(_ envelope: ControlEnvelope) throws -> [UInt8] {
        var body = Data("{\"version\":\(envelope.version),\"request\":".utf8)
        body += try JSONEncoder().encode(envelope.request)
        return frame(body + Data("}".utf8))
    }

    /// As an import begins, which alone may be long.
    static let importMark = Array(
        "{\"version\":\(ControlEnvelope.version),\"request\":{\"importEvents\":".utf8)

    private static func frame(_ body: Data) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(body.count + 4)
        withUnsafeBytes(of: UInt32(body.count).littleEndian) { frame.append(contentsOf: $0) }
        frame.append(contentsOf: body)
        return frame
    }

    /// What the first frame on the buffer says of its length; nil when it has not said so yet.
    static func length(_ buffer: [UInt8]) -> Int? {
        guard buffer.count >= 4 else { return nil }
        return (0..<4).reduce(0) { $0 | Int(buffer[$1]) << (8 * $1) }
    }

    /// Takes the first whole frame off the buffer; nil when there is none yet.
    static func take(from buffer: inout [UInt8]) throws(ControlError) -> Data? {
        guard let length = length(buffer) else { return nil }
        guard length <= limit else { throw .frameTooLong(length) }
        guard buffer.count >= 4 + length else { return nil }
        let body = Data(buffer[4..<4 + length])
        buffer.removeFirst(4 + length)
        return body
    }
}

/// What can go wrong between a client and a host.
public enum ControlError: Error, Sendable, Equatable {
    case notRunning(path: String)
    case notAllowed(path: String)
    case pathTooLong(path: String)
    case system(operation: String, code: Int32)
    case frameTooLong(Int)
    /// What is no import.
    case requestTooLong(Int, limit: Int)
    case hostGone
    case noAnswer(path: String, Duration)
    case notUnderstood(String)

    public var message: String {
        switch self {
        case .notRunning(let path): "No host is running on this state: nobody listens on \(path)."
        case .notAllowed(let path):
            "This user may not speak to the host at \(path). Run the command as the host's user, or as root."
        case .pathTooLong(let path):
            "The control socket's path \(path) is over 107 bytes, more than Linux takes. Use a shorter --state folder."
        case .system(let operation, let code): "Can't \(operation): \(String(cString: strerror(code)))."
        case .frameTooLong(let length):
            "A frame of \(length) bytes came over the control socket; no honest one is so long."
        case .requestTooLong(let length, let limit):
            "A request of \(length) bytes came over the control socket; only an import may have more than \(limit)."
        case .noAnswer(let path, let patience):
            "The host at \(path) has not answered for \(patience.components.seconds) s. Is it stopped, or its machine "
                + "overloaded? `fuser \(path)` names its process. What it was asked it may still do; `lull history` shows it."
        case .hostGone: "The host went away before it answered. `lull history` shows what it did last."
        case .notUnderstood(let what): "The other side sent what is not understood: \(what)."
        }
    }
}
