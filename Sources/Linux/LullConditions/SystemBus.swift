private import CLullShims
private import Glibc
import LullModel

/// The states of logind and NetworkManager from the system's bus, and their changes.
///
/// Through libsystemd, loaded where it is there; without it, or without a bus, there is no value of this type
/// and files are read instead. A service that does not answer within two seconds ends the connection, so that
/// the host waits for it once and not at every look.
final class SystemBus {
    private static let logind = (
        "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
    )
    private static let networkManager = (
        "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager"
    )
    private var bus: OpaquePointer?
    private let asksLogind: Bool
    private let asksNetworkManager: Bool

    /// Nil: there is no service to ask.
    init?(run: String) {
        // Asking for a service that is not there could start it; only the running ones are asked.
        asksLogind = HostFile.exists(run + "/systemd/system") && HostFile.exists(run + "/systemd/seats")
        asksNetworkManager = HostFile.exists(run + "/NetworkManager")
        guard asksLogind || asksNetworkManager, let bus = lull_bus_open(2000) else { return nil }
        self.bus = bus
    }

    deinit { close() }

    /// Nil: the connection has ended.
    var descriptor: Int32? {
        guard let bus else { return nil }
        let descriptor = lull_bus_descriptor(bus)
        return descriptor < 0 ? nil : descriptor
    }

    /// Begins to listen. Returns the sensors whose changes are announced; the rest changes in silence.
    func listen() -> Set<Conditions.Sensor> {
        // The kernel announces that the network is there; NetworkManager announces only whether it is metered.
        if asksNetworkManager { _ = listen(Self.networkManager, 1) }
        return asksLogind && listen(Self.logind, 0) ? [.presence] : []
    }

    /// Handles what has come, also what came while a question was waiting for its answer; nil when the
    /// connection has ended.
    func process() -> Set<Conditions.Sensor>? {
        guard let bus else { return nil }
        var changed: UInt32 = 0
        guard lull_bus_process(bus, &changed) == 0 else {
            close()
            return nil
        }
        var sensors: Set<Conditions.Sensor> = []
        if changed & 1 != 0 { sensors.insert(.presence) }
        if changed & 2 != 0 { sensors.insert(.network) }
        return sensors
    }

    var idleHint: IdleHint? {
        guard asksLogind, let isIdle = property(Self.logind, "IdleHint", "b") else { return nil }
        let since = property(Self.logind, "IdleSinceHint", "t") ?? 0
        return IdleHint(
            isIdle: isIdle != 0,
            since: since == 0 ? nil : WallTime(milliseconds: Int64(clamping: since / 1000)))
    }

    /// Whether the main link is metered; nil: NetworkManager does not know.
    var isMetered: Bool? {
        guard asksNetworkManager, let value = property(Self.networkManager, "Metered", "u") else {
            return nil
        }
        // Unknown, yes, no, guessed yes, guessed no.
        return switch value {
        case 1, 3: true
        case 2, 4: false
        default: nil
        }
    }

    private func listen(_ service: (String, String, String), _ name: UInt32) -> Bool {
        guard let bus else { return false }
        return lull_bus_listen(bus, service.0, service.1, name) >= 0
    }

    private func property(_ service: (String, String, String), _ name: String, _ type: Character) -> UInt64? {
        guard let bus, let type = type.asciiValue else { return nil }
        var value: UInt64 = 0
        let code = lull_bus_property(
            bus, service.0, service.1, service.2, name, CChar(bitPattern: type), &value)
        if [ETIMEDOUT, ENOTCONN, ECONNRESET, EPIPE].contains(-code) { close() }
        return code < 0 ? nil : value
    }

    private func close() {
        lull_bus_close(bus)
        bus = nil
    }
}
