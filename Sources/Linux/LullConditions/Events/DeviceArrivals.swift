public import LullModel
public import LullSystem

/// Reports devices that are plugged in, as the kernel announces them.
public final class DeviceArrivals {
    public struct Device: Sendable, Equatable {
        public var subsystem: String
        /// The name in /dev, or else the kernel's own.
        public var name: String

        /// The device of an announcement; nil: no device was added.
        init?(_ message: some Collection<UInt8>) {
            var values: [Substring: Substring] = [:]
            let text = String(decoding: message, as: UTF8.self)
            for line in text.split(separator: "\0") {
                if let equals = line.firstIndex(of: "=") {
                    values[line[..<equals]] = line[line.index(after: equals)...]
                }
            }
            guard values["ACTION"] == "add", let path = values["DEVPATH"],
                let name = values["DEVNAME"] ?? path.split(separator: "/").last
            else { return nil }
            subsystem = String(values["SUBSYSTEM"] ?? "")
            self.name = String(name)
        }
    }

    private let socket: KernelSocket
    private let loop: EventLoop
    private let came: ([Device]) -> Void

    /// Nil where the kernel's announcements can't be received.
    public init?(loop: EventLoop, came: @escaping ([Device]) -> Void) {
        guard let socket = KernelSocket(.powerSupplies) else { return nil }
        self.socket = socket
        self.loop = loop
        self.came = came
        let isHeard: Void? = try? loop.watch(socket.descriptor, .readable) { [unowned self] _ in drain() }
        if isHeard == nil { return nil }
    }

    deinit { loop.forget(socket.descriptor) }

    private func drain() {
        var devices: [Device] = []
        socket.drain { message in
            if let device = Device(message) { devices.append(device) }
        }
        if !devices.isEmpty { came(devices) }
    }
}

extension DevicePattern {
    public func fits(_ device: DeviceArrivals.Device) -> Bool {
        if let subsystem, subsystem != device.subsystem { return false }
        guard let name else { return true }
        return NamePattern(name)?.fits(device.name) ?? false
    }
}
