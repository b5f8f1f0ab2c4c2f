import BackgroundTasks
import Dispatch
import Glibc

/// A socket on which the kernel reports changes of links, addresses or routes; the new state is read anew.
enum RouteWatch {
    /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    /// Calls `changed` on the queue after each burst of changes, until the returned source is cancelled; nil if the app may not
    /// listen.
    static func start(
        on queue: DispatchQueue, changed: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        let type = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, type, 0)
        guard descriptor >= 0 else { return nil }
        // sockaddr_nl: the family, a gap, a number that the kernel chooses, the groups.
        let address: [UInt32] = [UInt32(AF_NETLINK), 0, groups]
        let bound = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard bound == 0 else {
            close(descriptor)
            return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            drain(descriptor)
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        return source
    }

    /// Reads all waiting messages, so that a burst is one change. A lost message (`ENOBUFS`) is a change as well.
    private static func drain(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 8 << 10, alignment: 8) { buffer in
            // Bounded, so that a storm of messages does not block the queue: the rest wakes it again.
            for _ in 0..<1000 where recv(descriptor, buffer.baseAddress, buffer.count, 0) <= 0 {
                if errno != ENOBUFS { return }
            }
        }
    }
}
