import FlyingSocks
import Foundation
import Glibc
import LullControl

/// The site on a port of this machine; in a process of its own, which may crash without the host.
///
/// The sockets and their waits are FlyingSocks'. The bytes are read here, within limits: see `WebLimits`.
public struct WebServer: Sendable {
    private let listener: WebListener
    private let site: WebSite
    private let limits = WebLimits.ofThisProcess

    public init(listener: WebListener, site: WebSite) {
        self.listener = listener
        self.site = site
    }

    /// Serves until it is cancelled; calls `ready` before it accepts connections.
    public func run(ready: @escaping @Sendable () -> Void) async throws(WebError) {
        do {
            let pool: SocketPool<ePoll> = .ePoll()
            try await pool.prepare()
            ready()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask {
                    try await accept(from: Socket(file: .init(rawValue: listener.descriptor)), pool: pool)
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            throw WebError(error, at: listener.address)
        }
    }

    private func accept(from listener: Socket, pool: some AsyncSocketPool) async throws {
        let connections = WebConnections(limits: limits)
        let handler = WebHandler(
            site: site, live: LiveStreams(answers: site.answers, limit: limits.listeners),
            turns: WebTurns(limits.readers))
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                try Task.checkCancellation()
                guard let socket = try await next(from: listener, pool: pool, connections) else { continue }
                guard let number = await connections.enter() else {
                    socket.closeAtOnce(saying: HTTPAnswer.refusal(.crowded))
                    continue
                }
                let connection = WebConnection(
                    number: number, socket: socket, handler: handler, connections: connections, limits: limits
                )
                group.addTask {
                    let service = Task { await connection.serve() }
                    await connections.welcome(number) { service.cancel() }
                    await withTaskCancellationHandler {
                        await service.value
                    } onCancel: {
                        service.cancel()
                    }
                }
            }
        }
    }

    /// The next connection; nil: none came of this attempt.
    private func next(
        from listener: Socket, pool: some AsyncSocketPool, _ connections: WebConnections
    ) async throws -> SocketWithTimeout? {
        do {
            return try SocketWithTimeout(
                Socket(file: listener.accept().file), pool: pool, timeout: limits.idle)
        } catch SocketError.blocked {
            try await pool.suspendSocket(listener, untilReadyFor: .connection)
        } catch SocketError.failed(_, let code, _) where [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) {
            // A connection that closes gives back what is missing; other processes of this machine may take it, too.
            await connections.makePlace()
            try await Task.sleep(for: .milliseconds(100))
        } catch SocketError.failed(_, let code, _) where code != EBADF && code != EINVAL {
            // The connection's own fault, such as a client that was gone before it was accepted.
        }
        return nil
    }
}

extension WebError {
    fileprivate init(_ error: any Error, at address: WebAddress) {
        guard case SocketError.failed(_, let code, _) = error else {
            self = .server(error.localizedDescription)
            return
        }
        self.init(code, at: address)
    }
}
