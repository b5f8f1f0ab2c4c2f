internal import CLullShims
internal import Glibc

/// The control group (version 2) of a process, looked at and left as it is.
public struct GroupSight: Sendable, Equatable {
    /// What the kernel can limit in it.
    public let controllers: Set<String>
    /// The folder that systemd has marked as delegated; nil: none is.
    let delegated: String?
    public var isDelegated: Bool { delegated != nil }

    /// The controllers by which the kernel limits what an app uses without a delay.
    public static let needed: Set<String> = ["cpu", "memory", "pids"]

    static let ownMembership = "/proc/self/cgroup"
    static let usualRoots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]

    /// The group of a host's process, which may have moved into a group below; `process` nil: of this one. Nil: no
    /// groups of version 2 are mounted, or they can't be read.
    public init?(process: Int32?) {
        self.init(
            membership: process.map { "/proc/\($0)/cgroup" } ?? Self.ownMembership, isOfHost: process != nil)
    }

    /// `isMarked`: whether systemd has marked a folder as delegated.
    init?(
        membership: String, roots: [String] = Self.usualRoots, isOfHost: Bool = false,
        isMarked: (String) -> Bool = { lull_is_delegated($0) != 0 }
    ) {
        guard let text = ProcessTable.contents(of: membership, atMost: 64 << 10) else { return nil }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        guard let path = lines.first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
            case let mounted = roots.filter({ access($0 + "/cgroup.controllers", F_OK) == 0 }),
            let first = mounted.first
        else { return nil }
        func folder(_ root: String) -> String { path == "/" ? root : root + path }
        // A host that has taken its group over is in the one below it.
        let folders = mounted.map(folder).flatMap { folder in
            isOfHost && folder.hasSuffix(AppGroups.ownName)
                ? [folder, String(folder.dropLast(AppGroups.ownName.count))] : [folder]
        }
        delegated = folders.first(where: isMarked)
        controllers = Set(
            AppGroups.read((delegated ?? folder(first)) + "/cgroup.controllers")
                .split(whereSeparator: \.isWhitespace).map(String.init))
    }

    public init(controllers: Set<String>, isDelegated: Bool) {
        self.controllers = controllers
        delegated = isDelegated ? "" : nil
    }
}
