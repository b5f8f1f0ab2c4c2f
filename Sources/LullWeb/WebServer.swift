import FlyingSocks
import Foundation
import Glibc

/// The site on a port of this machine; in a process of its own, which may fall without the host.
///
/// The sockets and their waits are FlyingSocks'. What comes over them is read here, within limits: see `WebLimits`.
public struct WebServer: Sendable {
    private let address: WebAddress
    private let site: WebSite
    private let limits: WebLimits

    public init(address: WebAddress, site: WebSite) {
        self.init(address: address, site: site, limits: .ofThisProcess)
    }

    init(address: WebAddress, site: WebSite, limits: WebLimits) {
        self.address = address
        self.site = site
        self.limits = limits
    }

    /// Serves until it is cancelled; `ready` is told the address with the port that it has.
    public func run(ready: @escaping @Sendable (WebAddress) -> Void) async throws(WebError) {
        let listener: Socket
        do {
            listener = try listen()
        } catch {
            throw failure(error)
        }
        defer { try? listener.close() }
        do {
            let pool: SocketPool<ePoll> = .ePoll()
            try await pool.prepare()
            ready(try bound(listener))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask { try await accept(from: listener, pool: pool) }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            throw failure(error)
        }
    }

    private func listen() throws -> Socket {
        let socket = try Socket(domain: address.isIPv6 ? AF_INET6 : AF_INET)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            if address.isIPv6 {
                try socket.bind(to: sockaddr_in6.inet6(ip6: address.host, port: address.port))
            } else {
                try socket.bind(to: sockaddr_in.inet(ip4: address.host, port: address.port))
            }
            try socket.setFlags(.nonBlocking)
        } catch {
            try? socket.close()
            throw error
        }
        // Closes the socket when it fails.
        try socket.listen()
        return socket
    }

    /// The address with the port that the kernel chose.
    private func bound(_ listener: Socket) throws -> WebAddress {
        var own = address
        switch try listener.sockname() {
        case .ip4(_, let port), .ip6(_, let port): own.port = port
        case .unix: break
        }
        return own
    }

    private func accept(from listener: Socket, pool: some AsyncSocketPool) async throws {
        let guests = WebGuests(limits: limits)
        let handler = WebHandler(
            site: site, live: LiveStreams(answers: site.answers, limit: limits.listeners),
            turns: WebTurns(limits.readers))
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                try Task.checkCancellation()
                guard let socket = try await next(from: listener, pool: pool, guests) else { continue }
                guard let number = await guests.enter() else {
                    socket.closeAtOnce(saying: HTTPAnswer.refusal(.crowded))
                    continue
                }
                let connection = WebConnection(
                    number: number, socket: socket, handler: handler, guests: guests, limits: limits)
                group.addTask {
                    let service = Task { await connection.serve() }
                    await guests.welcome(number) { service.cancel() }
                    await withTaskCancellationHandler {
                        await service.value
                    } onCancel: {
                        service.cancel()
                    }
                }
            }
        }
    }

    /// The next connection; nil for one that came to nothing.
    private func next(
        from listener: Socket, pool: some AsyncSocketPool, _ guests: WebGuests
    ) async throws -> PatientSocket? {
        do {
            return try PatientSocket(
                Socket(file: listener.accept().file), pool: pool, patience: limits.idle)
        } catch SocketError.blocked {
            try await pool.suspendSocket(listener, untilReadyFor: .connection)
        } catch SocketError.failed(_, let code, _) where [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) {
            // One who leaves gives back what is missing; others of this machine may have it, too.
            await guests.makePlace()
            try await Task.sleep(for: .milliseconds(100))
        } catch SocketError.failed(_, let code, _) where code != EBADF && code != EINVAL {
            // The connection's own fault, as where it was gone before it was taken.
        }
        return nil
    }

    private func failure(_ error: any Error) -> WebError {
        guard case SocketError.failed(_, let code, let message) = error else {
            return error is SocketError ? .notHere(address) : .server(error.localizedDescription)
        }
        return switch code {
        case EADDRINUSE: .inUse(address)
        case EACCES: .notPermitted(address)
        case EADDRNOTAVAIL: .notHere(address)
        default: .server(message)
        }
    }
}
