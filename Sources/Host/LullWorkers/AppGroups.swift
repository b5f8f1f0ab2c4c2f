internal import CLullShims
internal import Glibc
import LullModel

/// The control groups (version 2) that were delegated to this host, with one below for each worker.
///
/// Used only if systemd marked the folder as delegated (`Delegate=yes`): a root host could write any group, and would
/// take it from its manager. The host itself moves into a group of its own, for only groups without groups below may
/// hold processes.
final class AppGroups {
    /// The host's own folder, without a `/` at its end.
    let folder: String
    /// The controllers that are on in the groups below: `cpu`, `memory`, `pids`.
    let controllers: Set<String>

    /// The group of the host itself, below the one that it has taken over.
    static let ownName = "/host"

    /// No other process was in the group `host` when this one entered it.
    private let isAlone: Bool

    /// Nil: nothing is delegated to this process, or it can't be used.
    static func delegated(
        membership: String = GroupSight.ownMembership, roots: [String] = GroupSight.usualRoots
    ) -> AppGroups? {
        guard let folder = GroupSight(membership: membership, roots: roots)?.delegated else { return nil }
        return AppGroups(takingOver: folder)
    }

    /// Moves this process into the group `host` below `folder`, and turns on what limits the others.
    init?(takingOver folder: String) {
        self.folder = folder
        isAlone = Self.read(folder + Self.ownName + "/cgroup.procs").allSatisfy(\.isWhitespace)
        guard mkdir(folder + Self.ownName, 0o755) == 0 || errno == EEXIST,
            Self.write(String(getpid()), to: folder + Self.ownName + "/cgroup.procs")
        else { return nil }
        let offered = Self.read(folder + "/cgroup.controllers").split(whereSeparator: \.isWhitespace).map(
            String.init)
        // One by one: a controller that can't be turned on must not keep others off.
        controllers = Set(
            GroupSight.needed.sorted().filter {
                offered.contains($0) && Self.write("+\($0)", to: folder + "/cgroup.subtree_control")
            })
    }

    /// The worker's group, with the limits that it is started with; nil when it can't be made.
    func group(of worker: WorkerID, _ confinement: Confinement) -> AppGroup? {
        let path = "\(folder)/\(worker.app)@\(worker.number)"
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { return nil }
        let group = AppGroup(folder: path, limitsProcessor: controllers.contains("cpu"))
        group.limit(to: confinement.limits)
        // Out of memory, all processes of an app are killed, not one of them.
        Self.write("1", to: path + "/memory.oom.group")
        return group
    }

    /// Kills what an earlier host has left in its groups, unless another host has them now.
    func endEarlier() {
        guard isAlone, let list = opendir(folder) else { return }
        defer { closedir(list) }
        while let item = readdir(list) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
            let text = UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: text)
            guard !name.hasPrefix("."), name != "host", item.pointee.d_type == DT_DIR else { continue }
            let left = AppGroup(folder: folder + "/" + name, limitsProcessor: false)
            left.kill()
            left.remove()
        }
    }

    /// As one write: the kernel takes it whole, or not at all.
    @discardableResult
    static func write(_ text: String, to file: String) -> Bool {
        let descriptor = open(file, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
    }

    static func read(_ file: String) -> String {
        String(decoding: ProcessTable.contents(of: file, atMost: 4096) ?? [], as: UTF8.self)
    }
}

/// The control group of one worker and of all that it starts, whatever that does to leave it.
struct AppGroup {
    let folder: String
    let limitsProcessor: Bool

    /// A descriptor through which a process enters by writing `0`; -1: there is none. The supervisor stays outside: it is neither
    /// frozen nor killed with the group.
    func openDoor() -> Int32 { open(folder + "/cgroup.procs", O_WRONLY | O_CLOEXEC) }

    /// Has the kernel hold it to these, as far as the controllers are on.
    func limit(to limits: AppLimits) {
        AppGroups.write(String(Confinement.memory(limits)), to: folder + "/memory.max")
        AppGroups.write(String(limits.processes), to: folder + "/pids.max")
    }

    /// Stops all processes in the group, or lets them go on. False where the kernel can't (before Linux 5.2).
    func freeze(_ isFrozen: Bool) -> Bool {
        AppGroups.write(isFrozen ? "1" : "0", to: folder + "/cgroup.freeze")
    }

    /// The share of one core that the group gets in each tenth of a second; nil: all that there is. False: the kernel does not
    /// limit it.
    func limitProcessor(to share: Double?) -> Bool {
        guard limitsProcessor else { return false }
        // The kernel refuses less than 1 ms.
        let quota = share.map { String(max(1000, Int64($0 * 100_000))) } ?? "max"
        return AppGroups.write(quota + " 100000", to: folder + "/cpu.max")
    }

    /// The processes in the group.
    var processes: Set<pid_t> {
        let text = ProcessTable.contents(of: folder + "/cgroup.procs", atMost: 1 << 20) ?? []
        return Set(
            text.split(separator: UInt8(ascii: "\n")).compactMap {
                pid_t(String(decoding: $0, as: UTF8.self))
            })
    }

    /// Kills all processes in the group, at once.
    func kill() { AppGroups.write("1", to: folder + "/cgroup.kill") }

    /// Removes the group if it is empty.
    func remove() { rmdir(folder) }

    /// Milliseconds on the processors, of all processes that have been in it; nil: the kernel does not say.
    var processorTime: Int64? {
        AppGroups.read(folder + "/cpu.stat").split(separator: "\n").first { $0.hasPrefix("usage_usec ") }
            .flatMap { Int64($0.dropFirst(11)) }.map { $0 / 1000 }
    }

    /// Whether the kernel has killed it for lack of memory.
    var ranOutOfMemory: Bool {
        AppGroups.read(folder + "/memory.events").split(separator: "\n").contains { line in
            line.hasPrefix("oom_kill ") && line != "oom_kill 0"
        }
    }
}
