import Foundation

/// A socket that listens on a free port of loopback.
public struct LoopbackListener: Sendable {
    public let descriptor: Int32
    public let port: Int

    public init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let own = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(own, $0, length) == 0 && listen(own, 64) == 0 && getsockname(own, $0, &length) == 0
            }
        }
        guard isListening else {
            close(own)
            throw Command.Trouble(text: "there is no free port on 127.0.0.1")
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// A port that is free now; the kernel gives it to no other socket soon.
    public static func freePort() throws -> Int {
        let listener = try LoopbackListener()
        defer { close(listener.descriptor) }
        return listener.port
    }
}
