import BackgroundTasks

/// A link of the machine to a network.
///
/// Apple: Network, `NWInterface`.
public struct NWInterface: Hashable, Sendable, CustomDebugStringConvertible {
    /// The kind of a link.
    ///
    /// Apple: Network, `NWInterface.InterfaceType`.
    public enum InterfaceType: Sendable, CaseIterable {
        /// A tunnel, a bridge, or a link of an unknown kind.
        case other
        /// Wireless.
        case wifi
        /// Of a modem.
        case cellular
        /// Wired; also the link of a virtual machine or a container.
        case wiredEthernet
        /// To the machine itself.
        case loopback
    }

    /// The kind of the link.
    public let type: InterfaceType
    /// Its name, as `ip link` shows it.
    public let name: String
    /// Its number.
    public let index: Int

    public var debugDescription: String { name }

    /// As the kernel shows it; where the app may not look, its name tells the kind.
    init(_ name: String, sysfs: String) {
        self.name = name
        let folder = "\(sysfs)/class/net/\(name)"
        index = TextFile.line("\(folder)/ifindex").flatMap { Int($0) } ?? 0
        type = Self.type(of: name, folder)
    }

    private static func type(of name: String, _ folder: String) -> InterfaceType {
        if name == "lo" { return .loopback }
        guard let number = TextFile.line("\(folder)/type") else { return type(byName: name) }
        let words = TextFile.text("\(folder)/uevent") ?? ""
        if words.contains("DEVTYPE=wlan") || FileManager.default.fileExists(atPath: "\(folder)/phy80211") {
            return .wifi
        }
        if words.contains("DEVTYPE=wwan") { return .cellular }
        if words.contains("DEVTYPE=bridge") { return .other }
        // ARPHRD_ETHER.
        return number == "1" ? .wiredEthernet : .other
    }

    /// The kind, by udev's names for links.
    private static func type(byName name: String) -> InterfaceType {
        switch name.prefix(2) {
        case "wl": .wifi
        case "ww": .cellular
        case "en", "et": .wiredEthernet
        default: .other
        }
    }
}

enum TextFile {
    /// Nil where there is none, or the app may not read it.
    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    static func line(_ path: String) -> String? {
        text(path)?.split(separator: "\n").first.map(String.init)
    }
}
