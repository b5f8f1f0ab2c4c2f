internal import CLullShims
internal import Glibc
public import LullModel
import LullWire

/// What a worker is to give up before it loads its plugin, and what the host watches for it.
public struct Confinement: Sendable, Equatable {
    public struct Place: Sendable, Hashable {
        public var path: String
        public var isWritable: Bool
        public init(_ path: String, isWritable: Bool = false) {
            self.path = path
            self.isWritable = isWritable
        }
    }

    public var user: String?
    public var limits: AppLimits
    /// Where reading or writing is limited, what is allowed; also what every program needs.
    public var places: [Place] = []

    /// `plugin`, `stateFolder`: what the app can do nothing without.
    public init(
        user: String?, limits: AppLimits, plugin: String, stateFolder: String, temporary: String? = nil
    ) {
        self.user = user
        self.limits = limits
        guard !limits.keepsPrivileges else { return }
        if case .under(let paths) = limits.read {
            places +=
                Self.neededByAll.map { Place($0) } + [Place(Self.folder(of: plugin))]
                + paths.map { Place($0) }
        }
        if case .under(let paths) = limits.write {
            let folders = [stateFolder] + Self.temporaryFolders + [temporary].compactMap { $0 }
            places += (folders + Self.devices + paths).map { Place($0, isWritable: true) }
        } else if case .under = limits.read {
            places += [Place(stateFolder)] + Self.temporaryFolders.map { Place($0) }
        }
    }

    /// Where only some may be read: programs, libraries, what the C library looks up.
    static let neededByAll = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/dev/null",
        "/dev/zero", "/dev/full",
        "/dev/random", "/dev/urandom", "/proc", "/sys/devices/system/cpu", "/run/systemd/resolve",
        "/var/lib/ca-certificates",
    ]
    static let temporaryFolders = ["/tmp", "/var/tmp"]
    static let devices = [
        "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx",
        "/dev/pts", "/dev/shm",
    ]

    private static func folder(of path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// The bytes that the app may use, of all its processes.
    var memory: Int64 { limits.memory ?? Self.memoryOfMachine / 2 }

    static let memoryOfMachine = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))

    func frames() -> [HostFrame] {
        let confine = WireConfinement(
            user: user ?? "", descriptors: UInt32(clamping: limits.descriptors ?? 0),
            // Stacks and what is only set aside count here, so it is no measure; but it stops who is quicker than the watch.
            data: UInt64(memory * 2 + (512 << 20)),
            processes: user == nil ? 0 : UInt32(clamping: limits.processes),
            isConfined: !limits.keepsPrivileges, limitsReading: limits.read != .all,
            limitsWriting: limits.write != .all, hasNetwork: limits.network,
            places: UInt16(clamping: places.count))
        return [.confine(confine)]
            + places.prefix(Int(UInt16.max)).map { .place(path: $0.path, isWritable: $0.isWritable) }
    }
}
