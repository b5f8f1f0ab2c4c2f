public import LullModel

/// A token of the page with a name, for one program or person, beside the page's own in `http-token`.
public struct PageToken: Sendable, Equatable {
    /// What it permits; each permits what those before it do.
    public enum Scope: String, Sendable, CaseIterable, Comparable {
        /// Names, states, times, reasons, figures: what everybody on the machine may see.
        case read
        /// The output of runs and commands of tasks, which may hold secrets.
        case output
        /// Changes.
        case act

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
        public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

        public var words: String {
            switch self {
            case .read: "read"
            case .output: "read, and see the output of runs"
            case .act: "read, see the output of runs, and act"
            }
        }
    }

    public var name: String
    public var scope: Scope
    /// The apps on which it may act, with their tasks; empty: on all, and on the host as a whole.
    public var apps: [AppIdentifier]
    public var made: WallTime

    public init(name: String, scope: Scope, apps: [AppIdentifier] = [], made: WallTime) {
        self.name = name
        self.scope = scope
        self.apps = apps
        self.made = made
    }

    /// Whether it is a name for a token: words of a line in a file, and of a command.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                Character(Unicode.Scalar($0)).isLetter || (0x30...0x39).contains($0)
                    || "._-".utf8.contains($0)
            } && text.allSatisfy(\.isASCII) && !text.hasPrefix("-")
    }

    /// "read, see the output of runs, and act on com.example.Shop".
    public var words: String {
        scope.words
            + (apps.isEmpty ? "" : " on " + apps.map(\.text).joined(separator: ", ") + " and its tasks alone")
    }
}

/// The page's tokens with names: only their SHA-256, in a file of the state folder.
public struct PageTokens: Sendable {
    public static let fileName = "page-tokens"

    private let file: TokenFile

    public init(stateFolder: String) { file = TokenFile(folder: stateFolder, name: Self.fileName) }

    /// Makes a new token, which replaces an older one of the same name.
    public func make(_ token: PageToken) throws(WebError) -> String {
        let apps = token.apps.isEmpty ? "-" : token.apps.map(\.text).joined(separator: ",")
        return try file.make(for: token.name, [token.scope.rawValue, apps, token.made.rfc3339])
    }

    /// By name.
    public var all: [PageToken] {
        get throws(WebError) { try file.known().compactMap(Self.token).sorted { $0.name < $1.name } }
    }

    /// False: there is none of that name.
    public func revoke(_ name: String) throws(WebError) -> Bool {
        var known = try file.known()
        guard known.removeValue(forKey: name) != nil else { return false }
        try file.write(known)
        return true
    }

    /// The token of a client; nil: it is none of these.
    public func find(_ claimed: String) -> PageToken? {
        file.read().first { TokenFile.isRight(claimed, $0.value) }.flatMap(Self.token)
    }

    /// Nil for a line that is not whole: what it permits is not guessed.
    private static func token(_ name: String, _ words: [String]) -> PageToken? {
        guard words.count == 4, let scope = PageToken.Scope(rawValue: words[1]),
            let made = WallTime(rfc3339: words[3])
        else { return nil }
        let names = words[2] == "-" ? [] : words[2].split(separator: ",").map { AppIdentifier(String($0)) }
        guard !names.contains(nil) else { return nil }
        return PageToken(name: name, scope: scope, apps: names.compactMap(\.self), made: made)
    }
}
