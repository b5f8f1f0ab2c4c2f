import BackgroundTasks
import Glibc

/// The default routes of the machine, from the kernel's tables of routes.
struct DefaultRoutes: Equatable {
    /// Names of links.
    var ofIPv4: [String] = []
    var ofIPv6: [String] = []
    /// Each link once, the preferred one first.
    var interfaces: [NWInterface] = []

    init(procfs: String = "/proc", sysfs: String = "/sys") {
        ofIPv4 = Self.links("\(procfs)/net/route", columns: (0, 3, 6)) { columns in
            columns.count >= 8 && columns[1] == "00000000" && columns[7] == "00000000"
        }
        ofIPv6 = Self.links("\(procfs)/net/ipv6_route", columns: (9, 8, 5), radixOfMetric: 16) { columns in
            columns.count >= 10 && columns[1] == "00" && columns[0].allSatisfy { $0 == "0" }
        }
        ofIPv4.removeAll { Self.isDown($0, sysfs) }
        ofIPv6.removeAll { Self.isDown($0, sysfs) }
        var seen: Set<String> = []
        interfaces = (ofIPv4 + ofIPv6).filter { seen.insert($0).inserted }.map {
            NWInterface($0, sysfs: sysfs)
        }
    }

    private static let up: UInt32 = 1
    private static let reject: UInt32 = 0x200

    /// Links of the default routes that are up, by their metric; `columns`: of link, flags and metric.
    private static func links(
        _ path: String, columns: (link: Int, flags: Int, metric: Int), radixOfMetric: Int = 10,
        isDefault: ([Substring]) -> Bool
    ) -> [String] {
        let routes = (TextFile.text(path) ?? "").split(separator: "\n").compactMap {
            line -> (link: String, metric: UInt32)? in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard isDefault(words), let flags = UInt32(words[columns.flags], radix: 16),
                let metric = UInt32(words[columns.metric], radix: radixOfMetric), flags & up != 0,
                flags & reject == 0, words[columns.link] != "lo"
            else { return nil }
            return (String(words[columns.link]), metric)
        }
        return routes.sorted { $0.metric < $1.metric }.map(\.link)
    }

    /// A link that lost its carrier may keep its routes; they lead nowhere.
    private static func isDown(_ link: String, _ sysfs: String) -> Bool {
        ["down", "lowerlayerdown"].contains(TextFile.line("\(sysfs)/class/net/\(link)/operstate"))
    }

    /// Whether the app may use a network at all: `limits: { network: false }` refuses it the socket.
    static var mayConnect: Bool {
        for family in [AF_INET, AF_INET6] {
            let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            if descriptor >= 0 {
                close(descriptor)
                return true
            }
            if errno == EPERM || errno == EACCES { return false }
        }
        return true
    }
}
