import Foundation
import Testing

/// Two network namespaces with a link between them: the host runs in one, the server in the other. Cutting the link is like
/// pulling a machine's cable: its route is gone, and no packet arrives.
package final class Countryside {
    private let host: OwnNamespace
    private let server: OwnNamespace
    package static let serverAddress = "10.77.0.2"
    private static let route = ["ip", "route", "replace", "default", "via", serverAddress]

    /// Needs root, a kernel with network namespaces, and `ip`.
    package static let isPossible: Bool = {
        guard let both = try? Countryside() else { return false }
        return (try? both.setLink("up")) != nil
    }()
    package static let absence: Comment = "needs root, network namespaces and iproute2"

    package init() throws {
        (host, server) = (try OwnNamespace(["--net"]), try OwnNamespace(["--net"]))
        try host.lay("cable", "10.77.0.1/24", to: server, Self.serverAddress + "/24")
        try host.run(Self.route)
    }

    /// A prefix for commands that runs them beside the host, or beside the server.
    package var besideHost: [String] { host.enter }
    package var besideServer: [String] { server.enter }

    package func cut() throws { try setLink("down") }

    package func mend() throws {
        try setLink("up")
        try host.run(Self.route)
    }

    private func setLink(_ state: String) throws { try host.run(["ip", "link", "set", "cable", state]) }
}
