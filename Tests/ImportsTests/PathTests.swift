import BackgroundTasks
import Foundation
import Synchronization
import Testing

/// Paths of `Network`, whose sources are compiled into these tests: the package does not build that module.
@Suite struct PathTests {
    private static let titles =
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

    private static func ipv4(_ link: String, metric: Int = 0, flags: String = "0003") -> String {
        "\(link)\t00000000\t0100A8C0\t\(flags)\t0\t0\t\(metric)\t00000000\t0\t0\t0\n"
    }

    private static func ipv6(_ link: String, metric: String = "00000400", flags: String = "00000003")
        -> String
    {
        let zeros = String(repeating: "0", count: 32)
        return
            "\(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 \(metric) 00000001 00000000 \(flags) \(link)\n"
    }

    /// A machine with these routes and links; a link is its files.
    private func routes(
        ipv4: String = "", ipv6: String = "", links: [String: [String: String]] = [:]
    ) throws -> DefaultRoutes {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lull-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var files = ["proc/net/route": Self.titles + ipv4, "proc/net/ipv6_route": ipv6]
        for (link, texts) in links {
            for (name, text) in texts { files["sys/class/net/\(link)/\(name)"] = text + "\n" }
        }
        for (name, text) in files {
            let file = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        }
        return DefaultRoutes(procfs: folder + "/proc", sysfs: folder + "/sys")
    }

    @Test func `a default route leads out, by the link of the least metric first`() throws {
        let routes = try routes(
            ipv4: Self.ipv4("wlan0", metric: 600) + Self.ipv4("eth0", metric: 100), ipv6: Self.ipv6("eth0"),
            links: [
                "wlan0": ["type": "1", "uevent": "DEVTYPE=wlan\nINTERFACE=wlan0", "ifindex": "3"],
                "eth0": ["type": "1", "uevent": "INTERFACE=eth0", "ifindex": "2", "operstate": "up"],
            ])
        let path = NWPath(routes: routes, mayConnect: true)
        #expect(path.status == .satisfied)
        #expect(path.availableInterfaces.map(\.name) == ["eth0", "wlan0"])
        #expect(path.availableInterfaces.map(\.type) == [.wiredEthernet, .wifi])
        #expect(path.availableInterfaces.map(\.index) == [2, 3])
        #expect(path.usesInterfaceType(.wifi) && !path.usesInterfaceType(.cellular))
        #expect(path.supportsIPv4 && path.supportsIPv6 && !path.isExpensive && !path.isConstrained)
        let wifi = NWPath(routes: routes, mayConnect: true, refused: [.wiredEthernet])
        #expect(wifi.availableInterfaces.map(\.name) == ["wlan0"])
        #expect(!wifi.supportsIPv6)
    }

    @Test func `a modem's link is expensive`() throws {
        let routes = try routes(
            ipv4: Self.ipv4("wwan0"), links: ["wwan0": ["type": "1", "uevent": "DEVTYPE=wwan"]])
        #expect(NWPath(routes: routes, mayConnect: true).isExpensive)
    }

    @Test func `no way out is none by a link that is down, a route that rejects, or the machine itself`()
        throws
    {
        let routes = try routes(
            ipv4: Self.ipv4("eth0") + Self.ipv4("lo") + Self.ipv4("eth1", flags: "0203"),
            ipv6: Self.ipv6("lo", flags: "00200200"), links: ["eth0": ["type": "1", "operstate": "down"]])
        let path = NWPath(routes: routes, mayConnect: true)
        #expect(path.status == .unsatisfied && path.unsatisfiedReason == .notAvailable)
        #expect(path.availableInterfaces.isEmpty && !path.supportsDNS)
    }

    @Test func `an app that may use no network has no way out`() throws {
        let path = try NWPath(routes: routes(ipv4: Self.ipv4("eth0")), mayConnect: false)
        #expect(path.status == .unsatisfied && path.unsatisfiedReason == .localNetworkDenied)
    }

    @Test func `where the app may not look at a link, its name tells the kind`() throws {
        let routes = try routes(
            ipv4: ["wlp2s0", "wwp0s1", "enp3s0", "eth0", "tun0"].map { Self.ipv4($0) }.joined())
        #expect(routes.interfaces.map(\.type) == [.wifi, .cellular, .wiredEthernet, .wiredEthernet, .other])
    }

    // A machine whose path the test changes.

    private final class Machine: Sendable {
        let path: Mutex<NWPath>
        let changed = Mutex<(@Sendable () -> Void)?>(nil)

        init(_ path: NWPath) { self.path = Mutex(path) }

        var source: NWPathMonitor.Source {
            .init {
                self.path.withLock { $0 }
            } watch: { queue, changed in
                self.changed.withLock { $0 = changed }
                let source = DispatchSource.makeUserDataAddSource(queue: queue)
                source.activate()
                return source
            }
        }

        func change(to path: NWPath, on queue: DispatchQueue) {
            self.path.withLock { $0 = path }
            if let changed = changed.withLock({ $0 }) { queue.sync(execute: changed) }
        }
    }

    @Test func `a monitor tells the path that there is, then each that differs, and nothing once cancelled`()
        throws
    {
        let way = try NWPath(routes: routes(ipv4: Self.ipv4("eth0")), mayConnect: true)
        let none = try NWPath(routes: routes(), mayConnect: true)
        let machine = Machine(way)
        let monitor = NWPathMonitor(source: machine.source)
        let queue = DispatchQueue(label: "test")
        let told = Mutex<[NWPath.Status]>([])
        monitor.pathUpdateHandler = { path in told.withLock { $0.append(path.status) } }
        #expect(monitor.currentPath == way)
        monitor.start(queue: queue)
        queue.sync {}
        machine.change(to: way, on: queue)
        machine.change(to: none, on: queue)
        #expect(monitor.currentPath == none)
        monitor.cancel()
        machine.change(to: way, on: queue)
        #expect(told.withLock { $0 } == [.satisfied, .unsatisfied])
    }

    @Test func `a monitor is a sequence of paths, which ends with it`() async throws {
        let way = try NWPath(routes: routes(ipv4: Self.ipv4("eth0")), mayConnect: true)
        let monitor = NWPathMonitor(source: Machine(way).source)
        var statuses: [NWPath.Status] = []
        for await path in monitor {
            statuses.append(path.status)
            monitor.cancel()
        }
        #expect(statuses == [.satisfied])
    }

    @Test func `the machine's own routes can be read and watched`() {
        let queue = DispatchQueue(label: "test")
        RouteWatch.start(on: queue) {}?.cancel()
        #expect(NWPathMonitor().currentPath == NWPathMonitor().currentPath)
    }
}
