import BackgroundTasks

/// Whether the app reaches a network, and by which link: what the kernel's routes say.
///
/// Apple: Network, `NWPath`.
public struct NWPath: Equatable, Sendable, CustomDebugStringConvertible {
    /// Whether there is a route out.
    ///
    /// Apple: Network, `NWPath.Status`.
    public enum Status: Sendable {
        /// There is.
        case satisfied
        /// There is none.
        case unsatisfied
        /// There would be one once a connection is made; never here.
        case requiresConnection
    }

    /// Why there is no route out.
    ///
    /// Apple: Network, `NWPath.UnsatisfiedReason`.
    public enum UnsatisfiedReason: Sendable {
        /// Unknown; also while there is a route.
        case notAvailable
        /// A modem may not be used; never here.
        case cellularDenied
        /// The wireless network may not be used; never here.
        case wifiDenied
        /// The manifest has `network: false` for the app.
        case localNetworkDenied
    }

    /// Whether there is a route out.
    public let status: Status
    /// Why not.
    public let unsatisfiedReason: UnsatisfiedReason
    /// The links that lead out, the preferred one first.
    public let availableInterfaces: [NWInterface]
    /// Whether packets of IPv4 get out.
    public let supportsIPv4: Bool
    /// Whether packets of IPv6 get out.
    public let supportsIPv6: Bool

    /// Whether names can be resolved: as ``status``.
    public var supportsDNS: Bool { status == .satisfied }

    /// Whether the preferred link is a modem's. Only the host knows which other networks are metered: a task that says
    /// `network: unmetered` in `jobs.yaml` is not launched on such a network.
    public var isExpensive: Bool { availableInterfaces.first?.type == .cellular }

    /// Always false: nothing marks a network as constrained here.
    public var isConstrained: Bool { false }

    /// Whether a link of this kind leads out.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        availableInterfaces.contains { $0.type == type }
    }

    public var debugDescription: String {
        "\(status) by \(availableInterfaces.map(\.name).joined(separator: ", "))"
    }

    /// Only links of the kinds that are not `refused` count.
    init(routes: DefaultRoutes, mayConnect: Bool, refused: Set<NWInterface.InterfaceType> = []) {
        let interfaces = routes.interfaces.filter { !refused.contains($0.type) }
        let isOpen = mayConnect && !interfaces.isEmpty
        status = isOpen ? .satisfied : .unsatisfied
        unsatisfiedReason = mayConnect ? .notAvailable : .localNetworkDenied
        availableInterfaces = isOpen ? interfaces : []
        supportsIPv4 = isOpen && interfaces.contains { routes.ofIPv4.contains($0.name) }
        supportsIPv6 = isOpen && interfaces.contains { routes.ofIPv6.contains($0.name) }
    }
}
