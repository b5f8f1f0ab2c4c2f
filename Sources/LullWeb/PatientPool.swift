import FlyingSocks
import Foundation

/// The sockets' waits with an end: who sends nothing, or reads nothing, for a minute is let go.
struct PatientPool: AsyncSocketPool {
    let base: any AsyncSocketPool
    var patience: Duration = .seconds(60)

    func prepare() async throws { try await base.prepare() }
    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // The listening socket has no peer, and waits for ever.
        guard (try? socket.remotePeer()) != nil else {
            return try await base.suspendSocket(socket, untilReadyFor: events)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await base.suspendSocket(socket, untilReadyFor: events) }
            group.addTask {
                try await Task.sleep(for: patience)
                throw SocketError.timeout(message: "Nothing came.")
            }
            try await group.next()
            group.cancelAll()
        }
    }
}
