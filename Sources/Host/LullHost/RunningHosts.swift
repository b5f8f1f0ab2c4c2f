import Foundation
import Glibc
import LullControl

/// The hosts that run on this machine, and where their states are: for commands on a state without a host.
///
/// The kernel names the processes that hold a lock (`/proc/locks`), and a host holds its state's as long as it lives.
/// Folders of users other than root and this one are not trusted, and hosts whose files this user may not see are not
/// found.
public struct RunningHosts {
    public struct Found: Sendable, Equatable {
        /// The state folder.
        public var state: String
        /// The path of its manifest; nil: not recorded.
        public var manifest: String?
    }

    private let procfs: String
    private let timeout: Duration
    private let isListening: (String) -> Bool

    /// `isListening`: whether a host answers for a state folder; `timeout`: for all that do not, together.
    public init(
        procfs: String = "/proc", timeout: Duration = RunningHosts.timeout,
        isListening: @escaping (String) -> Bool = RunningHosts.answers
    ) {
        self.procfs = procfs
        self.timeout = timeout
        self.isListening = isListening
    }

    /// The one that runs this manifest with another state; nil: none that can be seen.
    public func other(running manifest: String, than state: String) -> Found? {
        first { $0.state != state && $0.manifest.map { Self.isSame($0, manifest) } ?? false }
    }

    /// The first match in the order of the folders. Only matches are asked whether they answer, and all silent ones
    /// together may take no longer than one host: a process of this user can make any number of such folders.
    private func first(where fits: (Found) -> Bool) -> Found? {
        let end = ContinuousClock.now + timeout
        for state in Set(lockers.flatMap(states)).sorted() where Self.isTrusted(state) {
            let folder = StateFolder(option: state, environment: [:], isRoot: false)
            let found = Found(state: state, manifest: folder.lastManifest)
            guard fits(found) else { continue }
            if isListening(state) { return found }
            if ContinuousClock.now > end { return nil }
        }
        return nil
    }

    public static let timeout = Duration.seconds(2)

    public static func answers(for state: String) -> Bool {
        (try? ControlClient(stateFolder: state, timeout: timeout)) != nil
    }

    /// The processes that hold such a lock as a host does.
    private var lockers: [Int32] {
        guard let text = try? String(contentsOfFile: procfs + "/locks", encoding: .utf8) else { return [] }
        let holders = text.split(separator: "\n").compactMap { line -> Int32? in
            // "1: FLOCK ADVISORY WRITE 1234 fd:01:5678 0 EOF"; a process that waits for one has "->" before it.
            let words = line.split(separator: " ")
            guard words.count > 4, words[1] == "FLOCK", words[3] == "WRITE" else { return nil }
            return Int32(words[4])
        }
        return Set(holders).sorted()
    }

    /// The folders of the files named `lock` that a process has open.
    private func states(of process: Int32) -> [String] {
        let folder = "\(procfs)/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            guard
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name),
                path.hasPrefix("/"), path.hasSuffix("/lock")
            else { return nil }
            let state = String(path.dropLast("/lock".count))
            return access(ControlAddress.path(in: state), F_OK) == 0 ? state : nil
        }
    }

    private static func isTrusted(_ folder: String) -> Bool {
        var status = stat()
        // A folder for temporary files is root's, and what lies in it is anybody's.
        return stat(folder, &status) == 0 && (status.st_uid == 0 || status.st_uid == geteuid())
            && status.st_mode & 0o022 == 0
    }

    /// A folder's own manifest is the `jobs.yaml` in it.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        func file(_ path: String) -> String {
            var status = stat()
            let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            return URL(fileURLWithPath: isFolder ? path + "/jobs.yaml" : path).resolvingSymlinksInPath().path
        }
        return file(one) == file(other)
    }
}
