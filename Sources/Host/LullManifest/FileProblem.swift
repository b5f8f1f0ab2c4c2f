/// Why a manifest's file could not be read.
public enum FileProblem: Error, Sendable, Hashable {
    /// `other`: a manifest by another usual name that stands in the same folder.
    case missing(other: String?)
    case notPermitted
    case isFolder
    /// A pipe, a socket or a device.
    case notAFile
    case tooLarge(limit: Int)
    case notSafe(path: String, Stranger)
    /// A folder or link on the path to it.
    case wayNotSafe(Breach)
    /// With the system's message.
    case failed(String)
    case empty

    var message: String {
        switch self {
        case .missing: "there is no such file"
        case .notPermitted: "the file can't be read: permission denied"
        case .isFolder: "this is a folder, not a manifest"
        case .notAFile: "this is a pipe or a device, not a file"
        case .tooLarge(let limit): "the file is larger than \(limit >> 20) MiB"
        case .notSafe(_, .owner(let owner)):
            "this file belongs to \(quoted(owner)), who can therefore decide what is run as you"
        case .notSafe(_, let stranger):
            "\(stranger.who) can write this file, and so decide what is run"
        case .wayNotSafe(let breach): "\(breach.message), and so decide what is run"
        case .failed(let words): "the file can't be read: \(words)"
        case .empty: "the manifest is empty"
        }
    }

    var fix: String {
        switch self {
        case .missing(let other?): "there is `\(other)`: name that file, or rename it"
        case .missing(nil):
            "go to the folder that holds `jobs.yaml`, or name the file: after the command, or with its option `--manifest`"
        case .notPermitted: "run lull as the user who owns the file, or `chmod` it so that you can read it"
        case .isFolder: "name the file in it, such as `jobs.yaml`"
        case .notAFile: "write the manifest to a file and name that"
        case .tooLarge: "split the tasks among more hosts, or check that this is the right file"
        case .notSafe(let path, let stranger):
            stranger.mode.map { "run `chmod \($0) \(path)`" } ?? "use a copy that belongs to you or root"
        case .wayNotSafe(let breach): breach.fix
        case .failed: "check the disk and the path"
        case .empty: "begin with `version: 1` and list your apps under `apps:`"
        }
    }
}
