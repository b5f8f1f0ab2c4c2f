import CLullShims
import Foundation
public import LullLoop

/// The host's side of the control socket: accepts clients of its own user and of root, one request at a time each.
///
/// Runs on the loop's thread. A client that sends what is not understood gets a sentence and is let go; one that
/// does not read its answer is not listened to until it does. Nobody can make the loop wait.
public final class ControlServer {
    /// Gets a request and a function that answers it, now or later; answering twice does nothing.
    public typealias Handler = (ControlRequest, @escaping (ControlResponse) -> Void) -> Void

    private let loop: EventLoop
    private let path: String
    private let listener: Int32
    private let handler: Handler
    private var connections: [Int32: ControlConnection] = [:]
    /// The socket's own file: another host may have put its own there.
    private var inode: UInt64?
    /// Given up for a moment when there is no descriptor left, so that who waits is let go.
    private(set) var spare: Int32 = -1

    /// Listens in the state folder. What a host that was cut off left there is removed: the caller holds the lock.
    public init(stateFolder: String, loop: EventLoop, handler: @escaping Handler) throws(ControlError) {
        self.loop = loop
        self.handler = handler
        path = ControlAddress.path(in: stateFolder)
        listener = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard listener >= 0 else { throw .system(operation: "make the control socket", code: errno) }
        unlink(path)
        // Who may connect is checked by credentials; the mode keeps everybody else from trying.
        let mask = umask(0o177)
        let bound = try ControlAddress.withAddress(path) { bind(listener, $0, $1) }
        let code = errno
        umask(mask)
        guard bound == 0, listen(listener, 64) == 0 else {
            throw .system(operation: "listen on \(path)", code: bound == 0 ? errno : code)
        }
        inode = Self.inode(of: path)
        keepSpare()
        do {
            try loop.watch(listener, .readable) { [unowned self] _ in accept() }
        } catch {
            throw .system(operation: "listen on \(path)", code: error.code)
        }
    }

    deinit {
        loop.forget(listener)
        close(listener)
        dropSpare()
        if let inode, inode == Self.inode(of: path) { unlink(path) }
    }

    private static func inode(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private func accept() {
        keepSpare()
        while true {
            let descriptor = lull_accept(listener)
            guard descriptor >= 0 else {
                guard errno == EMFILE || errno == ENFILE, turnAway() else { return }
                continue
            }
            guard isAllowed(descriptor), connections.count < 256 else {
                close(descriptor)
                continue
            }
            let connection = ControlConnection(descriptor: descriptor, loop: loop, handler: handler) {
                [weak self] in
                self?.connections[descriptor] = nil
            }
            if connection.begin() { connections[descriptor] = connection }
        }
    }

    /// Lets go of one who waits: nobody can be served, and as long as he waits the loop would not sleep.
    private func turnAway() -> Bool {
        guard spare >= 0 else { return false }
        dropSpare()
        let descriptor = lull_accept(listener)
        if descriptor >= 0 { close(descriptor) }
        keepSpare()
        return descriptor >= 0
    }

    func dropSpare() {
        if spare >= 0 { close(spare) }
        spare = -1
    }

    /// Another thread may have taken it in the moment in which it was free: then it is had again with the next client.
    private func keepSpare() {
        if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }

    private func isAllowed(_ descriptor: Int32) -> Bool {
        var user: UInt32 = 0
        return lull_peer_uid(descriptor, &user) == 0 && (user == 0 || user == geteuid())
    }
}
