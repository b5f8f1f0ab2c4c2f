import FlyingSocks
import Foundation
import Glibc

/// A connection whose waits have an end: one that sends nothing in time, or reads nothing for a minute, is closed.
struct SocketWithTimeout: ByteSource {
    let socket: Socket
    let pool: any AsyncSocketPool
    let timeout: Duration

    init(_ socket: Socket, pool: any AsyncSocketPool, timeout: Duration) throws {
        self.socket = socket
        self.pool = pool
        self.timeout = timeout
        try socket.setFlags(.nonBlocking)
    }

    func read(atMost count: Int, by deadline: ContinuousClock.Instant) async throws -> [UInt8] {
        while true {
            try Task.checkCancellation()
            do {
                return try socket.read(atMost: count)
            } catch SocketError.blocked {
                try await wait(for: .read, until: deadline)
            } catch SocketError.disconnected {
                return []
            }
        }
    }

    func write(_ data: Data) async throws {
        var sent = data.startIndex
        while sent < data.endIndex {
            do {
                sent = try socket.write(data, from: sent)
            } catch SocketError.blocked {
                try await wait(for: .write, until: .now + timeout)
            }
            try Task.checkCancellation()
        }
    }

    /// Writes as much as the kernel takes now, to a connection that is closed in any case.
    func writeAtOnce(_ data: Data) { _ = try? socket.write(data, from: data.startIndex) }

    /// Sends these bytes, reads what has come, and closes, all without waiting.
    func closeAtOnce(saying data: Data) {
        writeAtOnce(data)
        endSending()
        // A close with unread bytes would discard the answer.
        _ = try? socket.read(atMost: 4096)
        close()
    }

    /// Ends the sending side of the connection.
    func endSending() { _ = shutdown(socket.file.rawValue, Int32(SHUT_WR)) }

    func close() { try? socket.close() }

    private func wait(for events: Socket.Events, until deadline: ContinuousClock.Instant) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.suspendSocket(socket, untilReadyFor: events) }
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                throw Overdue()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
