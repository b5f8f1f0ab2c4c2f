private import CLullShims

/// Where the host's state is read: the real folders, or a tree that stands for another host.
///
/// Only the real folders come with the kernel's events. A tree of files is watched with inotify.
public struct ConditionRoots: Sendable, Equatable {
    public var sysfs: String
    public var procfs: String
    public var run: String
    public var dev: String
    public var etc: String
    /// The folder whose file system's free space counts.
    public var stateFolder: String

    public init(
        sysfs: String = "/sys", procfs: String = "/proc", run: String = "/run", dev: String = "/dev",
        etc: String = "/etc", stateFolder: String
    ) {
        self.sysfs = Self.trimmed(sysfs)
        self.procfs = Self.trimmed(procfs)
        self.run = Self.trimmed(run)
        self.dev = Self.trimmed(dev)
        self.etc = Self.trimmed(etc)
        self.stateFolder = stateFolder.isEmpty ? "." : stateFolder
    }

    /// Whether it is the kernel's own file system, wherever it is mounted, and no tree of files.
    var isSysfsReal: Bool { lull_is_kernels_own(sysfs) == 1 }
    var isProcfsReal: Bool { lull_is_kernels_own(procfs) == 1 }
    /// Whether the services of this machine speak of the host that is sensed.
    var areServicesReal: Bool { isSysfsReal && isProcfsReal && run == "/run" }

    private static func trimmed(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return path.isEmpty ? "." : String(path)
    }
}
