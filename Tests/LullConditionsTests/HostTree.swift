import Glibc
import LullModel

@testable import LullConditions

/// A tree of files that stands for another machine; it ends with this object.
final class HostTree {
    let root: String
    var roots: ConditionRoots {
        ConditionRoots(
            sysfs: root + "/sys", procfs: root + "/proc", run: root + "/run", dev: root + "/dev",
            etc: root + "/etc",
            stateFolder: root)
    }

    /// A plain server: no battery, two processors, no network, no sessions.
    init(_ files: [String: String] = [:]) {
        var template = Array("/tmp/lull-host-XXXXXX".utf8CString)
        root = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
        write("sys/devices/system/cpu/online", "0-1\n")
        write("proc/loadavg", "0.50 0.20 0.10 1/100 4242\n")
        write("proc/net/route", Self.routeTitles)
        for (path, text) in files { write(path, text) }
    }

    deinit {
        func remove(_ path: String) {
            for name in (try? HostFile.names(in: path)) ?? [] { remove(path + "/" + name) }
            Glibc.remove(path)
        }
        remove(root)
    }

    static let routeTitles =
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"

    static func ipv4Default(_ link: String, metric: Int = 100, flags: String = "0003") -> String {
        routeTitles + "\(link)\t00000000\t010200C0\t\(flags)\t0\t0\t\(metric)\t00000000\t0\t0\t0\n"
    }

    static func ipv6Default(_ link: String, flags: String = "00000003") -> String {
        let zeros = String(repeating: "0", count: 32)
        let gateway = "fd000000000000000000000000000001"
        return "\(zeros) 00 \(zeros) 00 \(gateway) 00000400 00000002 00000000 \(flags)     \(link)\n"
    }

    func write(_ path: String, _ text: String) {
        makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
        guard let file = fopen("\(root)/\(path)", "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    func makeFolder(_ path: String) {
        var folder = root
        for part in path.split(separator: "/") {
            folder += "/" + part
            mkdir(folder, 0o755)
        }
    }

    /// Writes `class/power_supply/NAME`, file by file.
    func supply(_ name: String, _ files: [String: String]) {
        for (file, text) in files { write("sys/class/power_supply/\(name)/\(file)", text + "\n") }
    }

    func touch(_ path: String, at time: WallTime) {
        if !HostFile.exists("\(root)/\(path)") { write(path, "") }
        let stamp = timespec(tv_sec: Int(time.seconds), tv_nsec: 0)
        utimensat(AT_FDCWD, "\(root)/\(path)", [stamp, stamp], 0)
    }
}
