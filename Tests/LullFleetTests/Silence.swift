import Foundation
import LullSystem
import Testing

/// A port on loopback that accepts connections and sends nothing on them, or one byte.
final class Silence {
    private let descriptor: Int32
    let port: Int

    init(answer: UInt8? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let own = descriptor
        try withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = try #require(bytes.baseAddress).assumingMemoryBound(to: sockaddr.self)
            try #require(bind(own, pointer, length) == 0 && listen(own, 64) == 0)
            try #require(getsockname(own, pointer, &length) == 0)
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard let answer else { return }
        _ = OwnThread.begin {
            var byte = answer
            while true {
                let taken = accept(own, nil, nil)
                guard taken >= 0 else { return }
                _ = write(taken, &byte, 1)
                close(taken)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
