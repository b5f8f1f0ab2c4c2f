private import Glibc
private import LullModel

/// Notifies the service manager that has started this process (systemd's `sd_notify`): that it is ready, reads its
/// manifest anew, or stops, of its status, and that it lives.
///
/// Datagrams to the socket in `$NOTIFY_SOCKET`; without one, and where nothing listens, nothing happens: the host does
/// not depend on its service manager.
public final class ServiceManager {
    private let socket: Int32
    private let address: UnixAddress
    private var watchdog: LoopTimer?

    /// Nil when no service manager asks for notifications.
    ///
    /// The variables are taken out of the environment: children of this process are not the service.
    public static func fromEnvironment() -> ServiceManager? {
        defer { for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
        guard let path = value("NOTIFY_SOCKET") else { return nil }
        let isMine = value("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let microseconds = isMine ? value("WATCHDOG_USEC").flatMap { Int64($0) } : nil
        return ServiceManager(path: path, watchdog: microseconds.map { .microseconds($0) })
    }

    /// The sockets that the manager has opened for this process (systemd's `sd_listen_fds`), in its order; none without
    /// a socket unit.
    ///
    /// Children of this process get neither the sockets nor the variables.
    public static func givenSockets() -> Range<Int32> {
        defer { for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { unsetenv(name) } }
        let first: Int32 = 3
        guard value("LISTEN_PID").flatMap({ Int32($0) }) == getpid(),
            let count = value("LISTEN_FDS").flatMap({ Int32($0) }), (1...1024).contains(count)
        else { return first..<first }
        let sockets = first..<first + count
        for socket in sockets { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return sockets
    }

    private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// How long the manager waits for a sign of life; nil: it does not ask for any.
    public let watchdogSpan: Duration?

    /// `path`: of a socket, or the name of an abstract one behind an `@`. Nil when it is neither.
    public init?(path: String, watchdog: Duration?) {
        guard path.utf8.count > 1, path.hasPrefix("/") || path.hasPrefix("@"),
            let address = UnixAddress(path, mayBeAbstract: true)
        else { return nil }
        self.address = address
        watchdogSpan = watchdog.flatMap { $0 > .zero ? $0 : nil }
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    /// Gives signs of life from the loop's own thread, so that a loop that hangs is noticed; two to each span of the
    /// manager's, as it asks for. Nothing ticks where it does not ask.
    public func guardLoop(_ loop: EventLoop) throws(LoopError) {
        guard let watchdogSpan else { return }
        let timer = try LoopTimer(on: loop) { [unowned self] in
            tell("WATCHDOG=1")
            watchdog?.arm(Clock.monotonic + watchdogSpan / 2)
        }
        watchdog = timer
        timer.arm(Clock.monotonic)
    }

    public func ready(_ status: String) { tell("READY=1", "STATUS=\(line(status))") }

    /// The manager waits for `ready`, and knows by the time that it belongs to this reload.
    public func reloading() {
        tell("RELOADING=1", "MONOTONIC_USEC=\(Clock.monotonic.nanoseconds / 1000)")
    }

    public func stopping(_ status: String) { tell("STOPPING=1", "STATUS=\(line(status))") }

    public func status(_ status: String) { tell("STATUS=\(line(status))") }

    private func line(_ text: String) -> String { text.split(separator: "\n").joined(separator: " ") }

    private func tell(_ assignments: String...) {
        let message = Array(assignments.joined(separator: "\n").utf8)
        // The loop must not wait.
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        _ = address.with { sendto(socket, message, message.count, flags, $0, $1) }
    }
}
