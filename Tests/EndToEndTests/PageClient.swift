import Foundation
import TestSupport
import Testing

/// A browser's or scraper's side of the page, over a plain socket: each request is as the test writes it.
struct PageClient {
    struct Reply {
        var status: Int
        var headers: [String: String]
        var body: String
    }

    let port: UInt16
    let token: String

    /// Reads the page's address from the host's line.
    init(line: String) throws {
        let match = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{64})/), "\(line)")
        port = try #require(UInt16(match.1))
        token = String(match.2)
    }

    func get(_ path: String, authorized: Bool = false, host: String = "localhost") throws -> Reply {
        try ask("GET", path, authorized: authorized, host: host)
    }

    func post(_ path: String, authorized: Bool = true) throws -> Reply {
        try ask("POST", path, authorized: authorized, host: "localhost")
    }

    private func ask(_ method: String, _ path: String, authorized: Bool, host: String) throws -> Reply {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        if authorized { head += "Authorization: Bearer \(token)\r\n" }
        return try Self.parse(send(head + "Content-Length: 0\r\n\r\n"))
    }

    /// Returns all bytes until the other side closes.
    func send(_ text: String) throws -> String {
        let socket = try connect()
        defer { close(socket) }
        write(text, to: socket)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sends these bytes only; the caller closes the socket.
    func begin(_ text: String) throws -> Int32 {
        let socket = try connect()
        write(text, to: socket)
        shutdown(socket, Int32(SHUT_WR))
        return socket
    }

    /// Sends these bytes and leaves the connection open; the caller closes the socket.
    func open(_ text: String) throws -> Int32 {
        let socket = try connect()
        write(text, to: socket)
        return socket
    }

    /// Opens `/api/live`; each call of the returned function reads on until `words` come.
    func live() throws -> (_ words: String) throws -> Void {
        let socket = try connect()
        write("GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n", to: socket)
        var unread = ""
        return { words in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                if let range = unread.range(of: words) {
                    unread = String(unread[range.upperBound...])
                    return
                }
                let count = recv(socket, &chunk, chunk.count, 0)
                guard count > 0 else {
                    Issue.record("The stream ended without '\(words)': \(unread)")
                    throw CancellationError()
                }
                unread += String(decoding: chunk[..<count], as: UTF8.self)
            }
        }
    }

    private func connect() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "nobody listens on port \(port)")
        return descriptor
    }

    private func write(_ text: String, to socket: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func parse(_ text: String) throws -> Reply {
        let parts = text.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        let status = try #require(
            lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }, "\(text)")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[colon...].dropFirst(2))
        }
        return Reply(status: status, headers: headers, body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }
}
