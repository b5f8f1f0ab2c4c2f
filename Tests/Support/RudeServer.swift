import Foundation
import Synchronization

/// A misbehaving server: it answers each request as the test says, on a thread of its own.
public final class RudeServer: Sendable {
    public struct Request: Sendable {
        /// From 0 on.
        public let number: Int
        public let method: String
        public let path: String
        public let headers: [String: String]
        public let body: Data
    }

    /// The connection to one client.
    public struct Client: Sendable {
        fileprivate let descriptor: Int32

        public func say(_ text: String) { say(Data(text.utf8)) }

        public func say(_ data: Data) {
            var rest = Array(data)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        /// An answer with its length; `headers`: lines without their ends.
        public func answer(
            _ status: String, _ headers: [String] = [], _ body: Data = Data(), length: Int? = nil
        ) {
            let lines = ["HTTP/1.1 " + status, "Content-Length: \(length ?? body.count)"] + headers
            say(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }

        /// Closes the connection, even in the middle of an answer.
        public func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// Sends nothing more, and returns when the client has disconnected.
        public func stall() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    private let listener: LoopbackListener
    private let seen = Seen()

    private final class Seen: Sendable {
        let requests = Mutex<[Request]>([])
    }

    public init(_ answer: @escaping @Sendable (Request, Client) -> Void) throws {
        listener = try LoopbackListener()
        Thread.detachNewThread { [listener, seen] in
            while true {
                let client = accept(listener.descriptor, nil, nil)
                guard client >= 0 else { break }
                Thread.detachNewThread {
                    while let request = Self.receive(client, seen) {
                        answer(request, Client(descriptor: client))
                    }
                    close(client)
                }
            }
            close(listener.descriptor)
        }
    }

    deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

    public func url(_ path: String = "file") -> String { "http://127.0.0.1:\(listener.port)/\(path)" }
    public var requests: [Request] { seen.requests.withLock { $0 } }

    private static func receive(_ client: Int32, _ seen: Seen) -> Request? {
        var bytes = Data()
        var byte: UInt8 = 0
        while bytes.suffix(4) != Data("\r\n\r\n".utf8) {
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
        }
        var body = Data()
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        if headers["expect"] != nil { Client(descriptor: client).say("HTTP/1.1 100 Continue\r\n\r\n") }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while body.count < length {
            let count = recv(client, &buffer, min(buffer.count, length - body.count), 0)
            guard count > 0 else { return nil }
            body.append(contentsOf: buffer[..<count])
        }
        return seen.requests.withLock { seen in
            let request = Request(
                number: seen.count, method: words.first ?? "", path: words.count > 1 ? words[1] : "",
                headers: headers, body: body)
            seen.append(request)
            return request
        }
    }
}
