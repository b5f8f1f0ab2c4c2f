private import Glibc

/// A place on the path to a file at which a stranger could make the path lead elsewhere.
public struct Breach: Sendable, Hashable {
    public let path: String
    public let stranger: Stranger
    var isLink = false
    var isFolder = true

    /// A clause, with the whole path, because the remedy is about it.
    public var message: String {
        switch stranger {
        case .owner(let owner) where !isFolder: "the file '\(path)' belongs to \(quoted(owner))"
        case .everybody where !isFolder, .group where !isFolder, .listed where !isFolder:
            "\(stranger.who) can write the file '\(path)'"
        case .owner(let owner) where isLink:
            "the link '\(path)' belongs to \(quoted(owner)), who can point it elsewhere"
        case .owner(let owner):
            "the folder '\(path)' belongs to \(quoted(owner)), who can replace what is in it"
        case .everybody, .group, .listed:
            "\(stranger.who) can replace what is in the folder '\(path)'"
        }
    }

    public var fix: String {
        stranger.mode.map { "run `chmod \($0) \(path)`" }
            ?? "use a path on which every folder belongs to you or root"
    }

    /// The first place where a stranger could exchange or change the file at `path`, or a folder on its path; nil if there
    /// is none, or no file.
    ///
    /// `owner`: another user who is not a stranger.
    public static func first(to path: String, trusting owner: UInt32? = nil) -> Breach? {
        guard let walk = try? PathWalk(path) else { return nil }
        // Root and this user are no strangers anyway, and looking up a name may be slow.
        let trusted = owner.flatMap {
            [0, geteuid()].contains($0) ? nil : Stranger.owner(Stranger.name(of: $0))
        }
        let last = walk.stranger.map { Breach(path: walk.realPath, stranger: $0, isFolder: walk.isFolder) }
        return (walk.breaches + (last.map { [$0] } ?? [])).first { $0.stranger != trusted }
    }
}
