private import Glibc

/// A place on the way to a file at which a stranger could lead it elsewhere.
public struct Breach: Sendable, Hashable {
    public let path: String
    public let stranger: Stranger
    var isLink = false
    var isFolder = true

    /// A clause, with the whole path: it is what the remedy is about.
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

    /// Where a stranger could exchange or change what stands at `path`, or a folder on the way there; nil: nowhere, or
    /// nothing is there.
    ///
    /// `owner`: one more who is none.
    public static func first(to path: String, trusting owner: UInt32? = nil) -> Breach? {
        guard let walk = try? PathWalk(path) else { return nil }
        // Neither root nor this user is a stranger anyway, and a name may be slow to find.
        let trusted = owner.flatMap {
            [0, geteuid()].contains($0) ? nil : Stranger.owner(Stranger.name(of: $0))
        }
        let last = walk.stranger.map { Breach(path: walk.realPath, stranger: $0, isFolder: walk.isFolder) }
        return (walk.breaches + (last.map { [$0] } ?? [])).first { $0.stranger != trusted }
    }
}
