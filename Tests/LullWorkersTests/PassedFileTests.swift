import CLullShims
import Foundation
import Testing

/// Open files that come over a socket: closing the last descriptor may block, and the host never blocks on it.
struct PassedFileTests {
    /// The seconds for which closing the connection would block.
    private static let linger: Int32 = 3600

    /// Sends a byte and a descriptor; returns 0 or an errno.
    private func pass(_ descriptor: Int32, over socket: Int32) -> Int32 {
        var byte: UInt8 = 1
        // A cmsghdr of 64 bits, SOL_SOCKET and SCM_RIGHTS, and its descriptor.
        var control: [Int32] = [20, 0, 1, 1, descriptor, 0]
        return withUnsafeMutablePointer(to: &byte) { byte in
            var word = iovec(iov_base: byte, iov_len: 1)
            return withUnsafeMutablePointer(to: &word) { word in
                control.withUnsafeMutableBytes { control in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (word, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, 24)
                    return sendmsg(socket, &message, Int32(MSG_NOSIGNAL)) == 1 ? 0 : errno
                }
            }
        }
    }

    /// A connection with unread bytes, whose last close blocks; and the end that does not read.
    private func lingering() throws -> (Int32, Int32) {
        let stream = Int32(SOCK_STREAM.rawValue)
        let (listener, one) = (socket(AF_INET, stream, 0), socket(AF_INET, stream, 0))
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = try #require(bytes.baseAddress).assumingMemoryBound(to: sockaddr.self)
            try #require(bind(listener, pointer, length) == 0 && listen(listener, 1) == 0)
            try #require(getsockname(listener, pointer, &length) == 0)
            try #require(connect(one, pointer, length) == 0)
        }
        let other = accept(listener, nil, nil)
        var timeout = Glibc.linger(l_onoff: 1, l_linger: Self.linger)
        let size = socklen_t(MemoryLayout<Glibc.linger>.size)
        try #require(setsockopt(one, SOL_SOCKET, SO_LINGER, &timeout, size) == 0)
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        while send(one, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        return (one, other)
    }

    @Test func `who passes a file that is slow to close keeps nobody waiting`() throws {
        var ends: [Int32] = [-1, -1]
        // As before Linux 6.16: this socket does not refuse descriptors.
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        let (slow, unread) = try lingering()
        defer { for descriptor in ends + [unread] { close(descriptor) } }
        try #require(pass(slow, over: ends[1]) == 0)
        close(slow)
        var byte: UInt8 = 0
        let began = ContinuousClock.now
        #expect(lull_receive(ends[0], &byte, 1, 0) == -Int(EPROTO))
        #expect(ContinuousClock.now - began < .seconds(Int64(Self.linger) - 600))
        #expect(pass(0, over: ends[1]) == 0)
        #expect(lull_receive(ends[0], &byte, 1, 0) == -Int(EPROTO))
        #expect(send(ends[1], &byte, 1, 0) == 1)
        #expect(lull_receive(ends[0], &byte, 1, 0) == 1)
    }

    @Test func `to a worker's host nothing is passed where the kernel refuses it`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(lull_frame_sockets(&ends, 0) == 0)
        defer { for descriptor in ends { close(descriptor) } }
        var (value, length) = (Int32(1), socklen_t(4))
        let isKnown = getsockopt(ends[0], SOL_SOCKET, 83, &value, &length) == 0
        #expect(pass(0, over: ends[1]) == (isKnown ? EPERM : 0))
        #expect(pass(0, over: ends[0]) == 0)
    }
}
