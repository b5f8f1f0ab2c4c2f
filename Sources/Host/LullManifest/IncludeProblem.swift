import LullModel

/// An error in an entry of `include`.
public enum IncludeProblem: Error, Sendable, Hashable {
    case noName(String)
    case patternInFolder(String)
    case isFolder(String)
    case itself
    case missing(String, nearest: String?)
    case noFolder(String)
    case openFolder(String, Stranger)
    case openWay(Breach)
    case tooMany(limit: Int)
    /// A pattern that matches nothing, but matched `count` files of the manifest in force.
    case vanished(String, count: Int)

    var isWarning: Bool { if case .noFolder = self { true } else { false } }

    var message: String {
        switch self {
        case .noName(let text): "\(quoted(text)) names no file"
        case .patternInFolder(let text): "\(quoted(text)) has a pattern in the name of a folder"
        case .isFolder(let text): "\(quoted(text)) is a folder"
        case .itself: "the manifest includes itself, and nothing else"
        case .missing(let path, _): "there is no file \(quoted(path))"
        case .noFolder(let path): "there is no folder \(quoted(path)), so nothing is included"
        case .openFolder(let path, .owner(let owner)):
            "the folder \(quoted(path)) belongs to \(quoted(owner)), who can therefore decide what is run as you"
        case .openFolder(let path, let stranger):
            "\(stranger.who) can put files into \(quoted(path)), and so decide what is run"
        case .openWay(let breach): "\(breach.message), and so decide what is run"
        case .tooMany(let limit): "more than \(limit) files would be included"
        case .vanished(let text, let count):
            "\(quoted(text)) matches no file, but \(Phrase.count(count, "file")) that it matched before \(count == 1 ? "is" : "are") in force"
        }
    }

    var fix: String {
        switch self {
        case .noName: "write a path such as `jobs.d/*.yaml`"
        case .patternInFolder: "name the folder, and use `*`, `?` and `[…]` only in the last part"
        case .isFolder(let text): "write `\(text.hasSuffix("/") ? text : text + "/")*.yaml`"
        case .itself: "name another file, or take the entry out"
        case .missing(_, let nearest?): "did you mean `\(nearest)`?"
        case .missing(_, nil): "correct the path, which starts at this file's folder, or take the entry out"
        case .noFolder: "make it, or correct the path, which starts at this file's folder"
        case .openFolder(let path, let stranger):
            stranger.mode.map { "run `chmod \($0) \(path)`" } ?? "use a folder that belongs to you or root"
        case .openWay(let breach): breach.fix
        case .tooMany: "use fewer, larger files, or a narrower pattern"
        case .vanished:
            "make sure that its folder exists and is mounted; to include nothing, leave a file there with "
                + "`version: 1` and `apps: {}`"
        }
    }
}
