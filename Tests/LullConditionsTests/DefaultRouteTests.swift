import LullModel
import Testing

@testable import LullConditions

struct DefaultRouteTests {
    private let tree = HostTree()
    private var link: Sensed<String?> {
        DefaultRoute(procfs: tree.roots.procfs, sysfs: tree.roots.sysfs).link
    }
    private var network: Sensed<Conditions.Network> { ConditionSensors(roots: tree.roots).current().network }

    @Test func `a table of local routes is no network`() {
        tree.write(
            "proc/net/route",
            HostTree.routeTitles + "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n")
        #expect(link == .known(nil))
        #expect(network == .known(.none))
    }

    @Test func `a default route is a network, unmetered unless somebody says otherwise`() {
        tree.write("proc/net/route", HostTree.ipv4Default("eth0"))
        #expect(link == .known("eth0"))
        #expect(network == .known(.unmetered))
    }

    @Test func `a default route of IPv6 alone is a network`() {
        tree.write("proc/net/ipv6_route", HostTree.ipv6Default("wlan0"))
        #expect(link == .known("wlan0"))
    }

    @Test func `the kernel's own reject route of IPv6 is none`() {
        tree.write("proc/net/ipv6_route", HostTree.ipv6Default("lo", flags: "00200200"))
        #expect(link == .known(nil))
    }

    @Test func `a route that is down or rejects does not count`() {
        for flags in ["0002", "0203"] {
            tree.write("proc/net/route", HostTree.ipv4Default("eth0", flags: flags))
            #expect(link == .known(nil), "\(flags)")
        }
    }

    @Test func `of two default routes the one with the lesser metric is taken`() {
        let second = HostTree.ipv4Default("eth0", metric: 50).split(separator: "\n")[1]
        tree.write("proc/net/route", HostTree.ipv4Default("wlan0", metric: 600) + second + "\n")
        #expect(link == .known("eth0"))
    }

    @Test func `a cable that was pulled is no network though its route stays`() {
        tree.write("proc/net/route", HostTree.ipv4Default("eth0"))
        tree.write("sys/class/net/eth0/operstate", "down\n")
        #expect(link == .known(nil))
        tree.write("sys/class/net/eth0/operstate", "unknown\n")
        #expect(link == .known("eth0"))
    }

    @Test func `a malformed line is unknown, with its place`() {
        tree.write("proc/net/route", HostTree.routeTitles + "eth0 what\n")
        #expect(link == .unknown("\(tree.root)/proc/net/route:2 is not a route: “eth0 what”"))
        #expect(network.value == nil)
    }

    @Test func `one table that is malformed does not hide the other's route`() {
        tree.write("proc/net/route", "nonsense\n")
        tree.write("proc/net/ipv6_route", HostTree.ipv6Default("eth0"))
        #expect(link == .known("eth0"))
    }

    @Test func `without any table nobody knows`() {
        let path = tree.root + "/none"
        #expect(
            DefaultRoute(procfs: path, sysfs: path).link
                == .unknown("can't read \(path)/net/route: No such file or directory"))
    }

    @Test func `a folder in place of the table is unknown`() {
        tree.makeFolder("proc/net/ipv6_route")
        #expect(link == .unknown("can't read \(tree.root)/proc/net/ipv6_route: Is a directory"))
    }
}

struct MeteredLinkTests {
    private let tree = HostTree([
        "proc/net/route": HostTree.ipv4Default("wlan0"),
        "sys/class/net/wlan0/ifindex": "3\n",
        "run/NetworkManager/devices/3": "[device]\nmanaged=true\nconnection-uuid=aaaa-bbbb\n",
        "etc/NetworkManager/system-connections/other.nmconnection": "[connection]\nuuid=cccc\nmetered=2\n",
    ])

    private func network(_ profile: String, in parent: String = "etc") -> Sensed<Conditions.Network> {
        tree.write("\(parent)/NetworkManager/system-connections/phone.nmconnection", profile)
        return ConditionSensors(roots: tree.roots).current().network
    }

    @Test func `a profile that says metered is believed`() {
        #expect(network("[connection]\nid=Phone\nuuid=aaaa-bbbb\nmetered=1\n") == .known(.metered))
        #expect(network("[connection]\nid=Phone\nuuid=aaaa-bbbb\nmetered=2\n") == .known(.unmetered))
    }

    @Test func `a profile made at boot is found too`() {
        #expect(network("[connection]\nuuid=aaaa-bbbb\nmetered=yes\n", in: "run") == .known(.metered))
    }

    @Test func `a telephone network is metered unless its profile denies it`() {
        #expect(network("[connection]\nuuid=aaaa-bbbb\ntype=gsm\n") == .known(.metered))
        #expect(network("[connection]\nuuid=aaaa-bbbb\ntype=gsm\nmetered=2\n") == .known(.unmetered))
    }

    @Test func `a profile that says nothing is unmetered`() {
        #expect(network("[connection]\nuuid=aaaa-bbbb\ntype=wifi\n") == .known(.unmetered))
        #expect(network("[ipv4]\nmetered=1\n") == .known(.unmetered))
    }
}
