private import CLullShims
private import Glibc

/// A netlink socket on which the kernel says that a device or a route changed.
///
/// For conditions an announcement only wakes the loop: the state is read from the files, so a lost one costs nothing.
final class KernelSocket {
    enum Source { case powerSupplies, routes }

    let descriptor: Int32
    private let source: Source
    private var buffer = [UInt8](repeating: 0, count: 8 << 10)

    /// Nil where it is not permitted.
    init?(_ source: Source) {
        let descriptor = lull_netlink_open(
            source == .powerSupplies ? LULL_NETLINK_UEVENTS : LULL_NETLINK_ROUTES)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.source = source
    }

    deinit { close(descriptor) }

    /// Reads all waiting announcements, so that a burst is one change. Returns whether any of them concerns us.
    func drain() -> Bool {
        var concernsUs = false
        // A router's storm must not keep the loop here: what is left wakes it again.
        for _ in 0..<1000 {
            let count = lull_netlink_receive(descriptor, &buffer, UInt(buffer.count))
            if count == 0 { break }
            if count == -Int(ENOBUFS) {
                concernsUs = true
                continue
            }
            guard count > 0 else { break }
            let message = buffer[..<min(Int(count), buffer.count)]
            concernsUs = concernsUs || (count > 1 && (source == .routes || Self.isOfPowerSupply(message)))
        }
        return concernsUs
    }

    /// Reads the waiting announcements one after the other; lost ones are not reported.
    func drain(_ body: (ArraySlice<UInt8>) -> Void) {
        for _ in 0..<1000 {
            let count = lull_netlink_receive(descriptor, &buffer, UInt(buffer.count))
            if count == -Int(ENOBUFS) { continue }
            guard count > 0 else { return }
            if count > 1 { body(buffer[..<min(Int(count), buffer.count)]) }
        }
    }

    /// An announcement of a device is a heading and `KEY=value`s, each ended by a zero.
    static func isOfPowerSupply(_ message: ArraySlice<UInt8>) -> Bool {
        message.split(separator: 0).contains { $0.elementsEqual("SUBSYSTEM=power_supply".utf8) }
    }
}
