internal import CLullShims
internal import Glibc
public import LullModel
public import LullWire

/// The privileges that a worker gives up before it loads its plugin, and the limits that the host watches.
public struct Confinement: Sendable, Equatable {
    public struct Place: Sendable, Hashable {
        public var path: String
        public var access: WireAccess
        public init(_ path: String, _ access: WireAccess = .read) {
            self.path = path
            self.access = access
        }
    }

    /// A user of this machine; nil: the host's, or `account`.
    public var user: String?
    /// The number of an account of the app's own.
    public var account: UInt32?
    public var limits: AppLimits
    /// How many runs at once may each have as many processes as `limits` says; the kernel counts by user.
    public var runs = 1
    /// The limits of tasks that have their own.
    public var ofRuns: [RunLimits] = []
    /// The allowed paths, if reading or writing is limited, with those that every program needs; and hidden ones.
    public var places: [Place] = []

    /// `plugin`, `stateFolder`: what the app needs in any case. `state`: the host's whole state, which is not for the app.
    public init(
        user: String?, account: UInt32? = nil, limits: AppLimits, plugin: String, stateFolder: String,
        state: String? = nil, temporary: String? = nil
    ) {
        self.user = user
        self.account = account
        self.limits = limits
        guard !limits.keepsPrivileges else { return }
        let temporaries = Self.temporaryFolders + [temporary].compactMap { $0 }
        if case .under(let paths) = limits.read {
            places +=
                Self.neededByAll.map { Place($0) } + [Place(Self.folder(of: plugin))]
                + paths.map { Place($0) }
        }
        if case .under(let paths) = limits.write {
            places += ([stateFolder] + Self.devices + paths).map { Place($0, .write) }
            places += temporaries.map { Place($0, .writeBelow) }
        } else if case .under = limits.read {
            places += [Place(stateFolder)] + Self.temporaryFolders.map { Place($0) }
        }
        places += hidden(state: state, plugin)
    }

    /// Places that permissions do not protect from an app without an account of its own. An app that may write
    /// everywhere could make files that it can't read then, so nothing is hidden from it.
    private func hidden(state: String?, _ plugin: String) -> [Place] {
        guard limits.read == .all, limits.write != .all, account == nil else { return [] }
        let isGiven = state.map { state in
            places.contains { $0.access != .read && Self.lies(state, in: $0.path) }
        }
        var hidden = [Place("/dev/pts", .hidden)]
        if let state, isGiven == false { hidden += [Place(state, .hidden), Place(plugin)] }
        return hidden
    }

    static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
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
        "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
    ]

    private static func folder(of path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// The bytes that all processes of the app may use together.
    var memory: Int64 { Self.memory(limits) }

    static func memory(_ limits: AppLimits) -> Int64 { limits.memory ?? memoryOfMachine / 2 }

    static let memoryOfMachine = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))

    func frames() -> [HostFrame] {
        let memory = ([memory] + ofRuns.compactMap(\.memory)).max() ?? memory
        let processes = ([limits.processes] + ofRuns.compactMap(\.processes)).max() ?? limits.processes
        let confine = WireConfinement(
            user: user ?? "", account: account ?? 0, descriptors: UInt32(clamping: limits.descriptors ?? 0),
            // Stacks and reserved memory count here, so it does not measure use; but it stops an app that is quicker
            // than the watch.
            data: UInt64(memory * 2 + (512 << 20)),
            processes: user == nil && account == nil ? 0 : UInt32(clamping: processes * runs),
            isConfined: !limits.keepsPrivileges, limitsReading: limits.read != .all,
            limitsWriting: limits.write != .all, hasNetwork: limits.network,
            places: UInt16(clamping: places.count))
        return [.confine(confine)]
            + places.prefix(Int(UInt16.max)).map { .place(path: $0.path, access: $0.access) }
    }
}
