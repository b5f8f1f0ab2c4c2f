import CLullShims
import Foundation
import LullModel
public import LullSystem

/// The host's side of the control socket: accepts clients of its own user, of root and of the group that may read, one
/// request at a time each.
///
/// Runs on the loop's thread. A client whose frame makes no sense gets a sentence and is disconnected; one that does
/// not read its answer is not read from until it does. No client can make the loop wait, or use more of the host than
/// `ControlLimits` says: the longest-idle connection makes room, never one that awaits an answer.
public final class ControlServer {
    /// Gets a question, and puts it to its handler now or later.
    public typealias Handler = (PutQuestion) -> Void

    var limits = ControlLimits()
    private let loop: EventLoop
    private let path: String
    private let folder: String
    private let listener: Int32
    private let handler: Handler
    private let barring: (Int32) -> String?
    private let readers: UInt32?
    private var clients: [ObjectIdentifier: Client] = [:]
    private var steps: UInt64 = 0
    private var timer: LoopTimer?
    /// The connection whose import is coming.
    private weak var importing: ControlConnection?
    /// The socket's own file: another host may have put its own there.
    private var inode: UInt64?
    /// Given up for a moment when there is no descriptor left, so that a waiting client can be turned away.
    private(set) var spare: Int32 = -1

    private struct Client {
        let connection: ControlConnection
        /// When it began what it does, in steps and on the clock.
        var step: UInt64
        var since: MonotonicTime
    }

    /// Listens in the state folder. The socket that a killed host has left there is removed: the caller holds the lock.
    ///
    /// `readers`: the group whose members may ask what changes nothing; nil: none. `barring`: why the process of that number
    /// may ask nothing, as a sentence; nil: it may.
    public init(
        stateFolder: String, loop: EventLoop, readers: UInt32? = nil,
        barring: @escaping (Int32) -> String? = { _ in nil },
        handler: @escaping Handler
    ) throws(ControlError) {
        folder = stateFolder
        self.barring = barring
        self.readers = readers
        self.loop = loop
        self.handler = handler
        path = ControlAddress.path(in: stateFolder)
        listener = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard listener >= 0 else { throw .system(operation: "make the control socket", code: errno) }
        unlink(path)
        lull_refuse_descriptors(listener)
        // Clients are checked by their credentials; the mode keeps everybody else from trying. Linux gives the file the
        // mode of its socket. A umask would be the whole process's: what other threads make meanwhile would get it too.
        guard fchmod(listener, 0o600) == 0,
            try ControlAddress.withAddress(path, { bind(listener, $0, $1) }) == 0,
            readers.map({ chown(path, uid_t.max, $0) == 0 && chmod(path, 0o660) == 0 }) ?? true,
            listen(listener, 64) == 0
        else { throw .system(operation: "listen on \(path)", code: errno) }
        inode = Self.inode(of: path)
        keepSpare()
        do {
            timer = try LoopTimer(on: loop) { [unowned self] in ring() }
            try loop.watch(listener, .readable) { [unowned self] _ in accept() }
        } catch {
            throw .system(operation: "listen on \(path)", code: error.code)
        }
    }

    deinit {
        loop.forget(listener)
        lull_close_foreign(listener)
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
            let peer = ControlPeer(descriptor, readers: readers)
            if let sentence = refusal(of: peer) {
                turnAway(descriptor, sentence)
                continue
            }
            let connection = ControlConnection(
                descriptor: descriptor, peer: peer, loop: loop, surroundings, handler: handler)
            if connection.begin() { note(connection) }
        }
    }

    private var surroundings: ControlConnection.Surroundings {
        ControlConnection.Surroundings(
            limits: limits,
            spool: { [unowned self] (connection, bytes) throws(ControlError) in
                try spool(for: connection, bytes: bytes)
            },
            changed: { [unowned self] in note($0) }, ended: { [unowned self] in forget($0) })
    }

    // MARK: - Who may come in

    /// Why a client is turned away; nil: it is let in.
    private func refusal(of peer: ControlPeer?) -> String? {
        guard let peer, peer.isPermitted else {
            return
                "Only root and the user of the host may ask it, and the group of `lull run --readers`. Run the command as "
                + "one of them."
        }
        if let sentence = barring(peer.process) { return sentence }
        let own = clients.values.count { isLike(peer, $0) }
        if peer.process > 0 || peer.isReader, own >= limits.ofOneProcess, !makeRoom(of: peer) {
            let (whose, limit) =
                peer.isReader ? ("the group that may read", "this group") : (peer.words, "one process")
            return
                "The host has \(own) connections from \(whose), each awaiting an answer, which is the limit for "
                + "\(limit). Let it wait for its answers."
        }
        guard clients.count >= limits.connections, !makeRoom() else { return nil }
        let counts = Dictionary(grouping: clients.values, by: { $0.connection.peer?.process ?? 0 }).mapValues(
            \.count)
        let most = clients.values.max {
            counts[$0.connection.peer?.process ?? 0, default: 0]
                < counts[$1.connection.peer?.process ?? 0, default: 0]
        }?.connection.peer
        return "The host has \(clients.count) connections, each awaiting an answer, "
            + "\(counts[most?.process ?? 0, default: 0]) of them from \(most?.words ?? "an unknown process"). "
            + "End that process, or try again later."
    }

    /// Whether a client shares its share of connections with the peer: all readers have one, and each other process its own.
    private func isLike(_ peer: ControlPeer, _ client: Client) -> Bool {
        client.connection.peer == peer || peer.isReader && client.connection.peer?.isReader == true
    }

    /// Closes the longest-idle connection, of `peer` or else of the process that has the most; false: each awaits an answer.
    private func makeRoom(of peer: ControlPeer? = nil) -> Bool {
        let idle = clients.values.filter {
            let client = $0
            return client.connection.doing != .waiting && peer.map { isLike($0, client) } ?? true
        }
        var counts: [Int32: Int] = [:]
        for client in clients.values { counts[client.connection.peer?.process ?? 0, default: 0] += 1 }
        let first = idle.min { left, right in
            let (one, other) = (
                counts[left.connection.peer?.process ?? 0, default: 0],
                counts[right.connection.peer?.process ?? 0, default: 0]
            )
            return one == other ? left.step < right.step : one > other
        }
        first?.connection.leave(
            "The host closed this idle connection to make room for another.")
        return first != nil
    }

    private func turnAway(_ descriptor: Int32, _ sentence: String) {
        let frame = ControlFrame.encode(Result<OrderAnswer, _>.refused(sentence))
        // It fits into an empty socket, or is lost with the client.
        _ = send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        lull_close_foreign(descriptor)
    }

    // MARK: - What they do

    private func note(_ connection: ControlConnection) {
        steps += 1
        clients[ObjectIdentifier(connection)] = Client(
            connection: connection, step: steps, since: Clock.monotonic)
        if importing === connection, connection.doing != .asking { passOnImport() }
        closeUnread()
        arm()
    }

    private func forget(_ connection: ControlConnection) {
        clients[ObjectIdentifier(connection)] = nil
        if importing === connection { passOnImport() }
        arm()
    }

    private func spool(for connection: ControlConnection, bytes: Int) throws(ControlError) -> ImportSpool? {
        guard importing == nil else { return nil }
        guard let spool = ImportSpool(in: folder, bytes: bytes) else {
            throw .system(operation: "keep the import in \(folder)", code: errno)
        }
        importing = connection
        return spool
    }

    private func passOnImport() {
        importing = nil
        let next = clients.values.filter { $0.connection.doing == .queueing }.min { $0.step < $1.step }
        next?.connection.goOn()
    }

    /// Closes connections that do not read their answers if these take too much, the oldest first; never the last one.
    private func closeUnread() {
        var reading = clients.values.compactMap { client in
            if case .reading(let bytes) = client.connection.doing { (client, bytes) } else { nil }
        }.sorted { $0.0.step < $1.0.step }
        var held = reading.reduce(0) { $0 + $1.1 }
        while held > limits.unread, reading.count > 1 {
            let (client, bytes) = reading.removeFirst()
            held -= bytes
            client.connection.leave()
        }
    }

    // MARK: - Time

    private func deadline(of client: Client) -> MonotonicTime? {
        guard client.connection.doing == .asking else { return nil }
        return client.since + (client.connection === importing ? limits.importTimeout : limits.timeout)
    }

    private func arm() { timer?.arm(clients.values.compactMap(deadline).min()) }

    private func ring() {
        let now = Clock.monotonic
        for client in clients.values where deadline(of: client).map({ $0 <= now }) == true {
            let seconds = (now - client.since).components.seconds
            client.connection.leave(
                "This request was not complete after \(seconds) s, so nothing was done. Send it again.")
        }
        arm()
    }

    /// Turns a waiting client away: none can be served, and while one waits the loop would not sleep.
    private func turnAway() -> Bool {
        guard spare >= 0 else { return false }
        dropSpare()
        let descriptor = lull_accept(listener)
        if descriptor >= 0 {
            turnAway(
                descriptor,
                "The host has as many files open as it may (`ulimit -n`), \(clients.count) of them connections. Try again later."
            )
        }
        keepSpare()
        return descriptor >= 0
    }

    func dropSpare() {
        if spare >= 0 { close(spare) }
        spare = -1
    }

    /// Another thread may have taken the descriptor while it was free: the next client brings another try.
    private func keepSpare() {
        if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }
}
