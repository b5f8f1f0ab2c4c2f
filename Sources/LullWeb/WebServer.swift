import FlyingFox
import FlyingSocks
import Foundation
import Glibc

/// The site on a port of this machine, through FlyingFox; in a process of its own, which may fall without the host.
public struct WebServer: Sendable {
    private let address: WebAddress
    private let site: WebSite

    public init(address: WebAddress, site: WebSite) {
        self.address = address
        self.site = site
    }

    /// Serves until it is cancelled; `ready` is told the address with the port that it has.
    public func run(ready: @escaping @Sendable (WebAddress) -> Void) async throws(WebError) {
        let server: HTTPServer
        do {
            server = try makeServer()
        } catch {
            throw .notHere(address)
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask { [address] in
                    try await server.waitUntilListening(timeout: 60)
                    var own = address
                    switch await server.listeningAddress {
                    case .ip4(_, let port)?, .ip6(_, let port)?: own.port = port
                    default: break
                    }
                    ready(own)
                }
                while try await group.next() != nil {}
            }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> WebError {
        guard case SocketError.failed(_, let code, let message) = error else {
            return .server(error.localizedDescription)
        }
        return switch code {
        case EADDRINUSE: .inUse(address)
        case EACCES: .notPermitted(address)
        case EADDRNOTAVAIL: .notHere(address)
        default: .server(message)
        }
    }

    private func makeServer() throws -> HTTPServer {
        let pool = PatientPool(base: HTTPServer.defaultPool())
        let live = LiveStreams(answers: site.answers)
        let handler = WebHandler(site: site, live: live)
        let configuration =
            address.isIPv6
            ? HTTPServer.Configuration(
                address: try sockaddr_in6.inet6(ip6: address.host, port: address.port), timeout: 60,
                pool: pool,
                logger: .disabled)
            : HTTPServer.Configuration(
                address: try sockaddr_in.inet(ip4: address.host, port: address.port), timeout: 60, pool: pool,
                logger: .disabled)
        return HTTPServer(config: configuration, handler: handler)
    }
}

/// From FlyingFox's request to the site's, and back with the headers that go with everything.
struct WebHandler: HTTPHandler {
    let site: WebSite
    let live: LiveStreams

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = Dictionary(
            request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let asked = WebSite.Request(
            method: request.method.rawValue, path: request.path, query: query,
            visitor: .init(
                host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")],
                site: request.headers[HTTPHeader("Sec-Fetch-Site")],
                authorization: request.headers[.authorization]))
        switch await site.answer(asked) {
        case .reply(let reply): return response(reply, withBody: asked.method != "HEAD")
        case .live:
            guard let changes = await live.join() else {
                return response(
                    .refusal(503, "\(LiveStreams.limit) pages are open already. Close one."), withBody: true)
            }
            var headers = self.headers
            headers[.contentType] = "text/event-stream"
            return HTTPResponse(
                statusCode: .ok, headers: headers, body: HTTPBodySequence(from: LiveBody(changes: changes)))
        }
    }

    private var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in WebReply.headers { headers[HTTPHeader(name)] = value }
        return headers
    }

    private func response(_ reply: WebReply, withBody: Bool) -> HTTPResponse {
        var headers = self.headers
        headers[.contentType] = reply.contentType
        if let allow = reply.allow { headers[HTTPHeader("Allow")] = allow }
        if reply.status == 401 { headers[HTTPHeader("WWW-Authenticate")] = "Bearer" }
        if !withBody { headers[.contentLength] = String(reply.body.count) }
        return HTTPResponse(
            statusCode: HTTPStatusCode(reply.status, phrase: Self.phrase(reply.status)), headers: headers,
            body: withBody ? reply.body : Data())
    }

    private static func phrase(_ status: Int) -> String {
        [
            200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
            405: "Method Not Allowed", 409: "Conflict", 503: "Service Unavailable",
        ][status] ?? "Internal Server Error"
    }
}
