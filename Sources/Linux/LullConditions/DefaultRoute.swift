import LullModel

/// Whether a packet to anywhere would leave the host, from the kernel's route tables and the state of the
/// links.
struct DefaultRoute: Equatable {
    /// The link that the preferred default route goes through; nil: there is no default route.
    let link: Sensed<String?>

    init(procfs: String, sysfs: String) {
        var routes: [Route] = []
        var fault: Unreadable?
        var missing: [Unreadable] = []
        for family in Family.allCases {
            do throws(Unreadable) {
                let path = "\(procfs)/net/\(family.rawValue)"
                let table = try family.defaultRoutes(path: path, text: HostFile.text(path))
                // IPv4's come first: where it has a default route, that is the one that most packets take.
                routes += table.filter { Self.isUp($0.link, sysfs: sysfs) }.sorted { $0.metric < $1.metric }
            } catch {
                // A kernel without one of the families has no file for it.
                if error.isMissing { missing.append(error) } else { fault = fault ?? error }
            }
        }
        if missing.count == Family.allCases.count { fault = missing.first }
        if let route = routes.first {
            link = .known(route.link)
        } else {
            link = fault.map { .unknown($0.reason) } ?? .known(nil)
        }
    }

    /// A link that lost its carrier may keep its routes; they lead nowhere.
    private static func isUp(_ link: String, sysfs: String) -> Bool {
        let state = try? HostFile.word("\(sysfs)/class/net/\(link)/operstate")
        return state != "down" && state != "lowerlayerdown"
    }
}

private struct Route {
    let link: String
    let metric: UInt32
}

private enum Family: String, CaseIterable {
    case ipv4 = "route"
    case ipv6 = "ipv6_route"

    private static let up: UInt32 = 1
    private static let reject: UInt32 = 0x200

    func defaultRoutes(path: String, text: String) throws(Unreadable) -> [Route] {
        var routes: [Route] = []
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            // IPv4's table has a line of titles.
            if line.allSatisfy(\.isWhitespace) || (self == .ipv4 && number == 1 && line.hasPrefix("Iface")) {
                continue
            }
            let columns = line.split(whereSeparator: \.isWhitespace)
            guard let (route, flags, isDefault) = self == .ipv4 ? ipv4(columns) : ipv6(columns) else {
                throw Unreadable(path: "\(path):\(number)", fault: "is not a route: \(HostFile.quoted(line))")
            }
            guard isDefault, flags & Self.up != 0, flags & Self.reject == 0, route.link != "lo" else {
                continue
            }
            routes.append(route)
        }
        return routes
    }

    private func ipv4(_ columns: [Substring]) -> (Route, UInt32, Bool)? {
        guard columns.count >= 8, let destination = UInt32(columns[1], radix: 16),
            let flags = UInt32(columns[3], radix: 16), let metric = UInt32(columns[6]),
            let mask = UInt32(columns[7], radix: 16)
        else { return nil }
        return (Route(link: String(columns[0]), metric: metric), flags, destination == 0 && mask == 0)
    }

    private func ipv6(_ columns: [Substring]) -> (Route, UInt32, Bool)? {
        guard columns.count >= 10, columns[0].count == 32, columns[0].allSatisfy(\.isHexDigit),
            let length = UInt32(columns[1], radix: 16), let metric = UInt32(columns[5], radix: 16),
            let flags = UInt32(columns[8], radix: 16)
        else { return nil }
        let isDefault = length == 0 && columns[0].allSatisfy { $0 == "0" }
        return (Route(link: String(columns[9]), metric: metric), flags, isDefault)
    }
}
