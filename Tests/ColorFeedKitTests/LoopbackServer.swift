import Foundation
import Glibc

/// A server on this host that gives every caller one answer.
final class LoopbackServer: Sendable {
    struct Failure: Error {}

    let address: String
    private let listener: Int32

    init(answer: String) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw Failure() }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(listener, name, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, name, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))/feed.json"
        Thread.detachNewThread {
            while case let caller = accept(listener, nil, nil), caller >= 0 {
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(caller, &request, request.count, 0)
                let bytes = Array(answer.utf8)
                _ = send(caller, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(caller)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
