/// Finds what a line for a shell needs, as far as that is certain.
public enum ShellText {
    /// Something that a line needs.
    public enum Need: Sendable, Hashable {
        /// A program, by its path or its name alone.
        case program(String)
        /// A file that an interpreter reads.
        case file(String)
        /// A folder in which a file is written.
        case folder(String)
    }

    /// The programs, files and folders that the line certainly needs, if plain words name them.
    ///
    /// Left out are names that may be functions, names in variables, commands that run only on a condition, and commands
    /// with an alternative behind `||`: there a missing program is no mistake.
    public static func needs(of text: String) -> [Need] {
        guard text.utf8.count <= limit else { return [] }
        var reader = ShellReader(text)
        reader.read()
        var seen: Set<Need> = []
        return reader.needs.filter { seen.insert($0).inserted }
    }

    /// Longer lines are not read.
    public static let limit = 16 << 10

    /// Whether shells have the word themselves, so that it names no program.
    public static func isOwn(_ word: String) -> Bool { ShellVocabulary.own.contains(word) }

    /// Whether a shell reads lines as POSIX says.
    public static func isKnown(shell path: String) -> Bool {
        ["sh", "dash", "bash", "ksh", "mksh", "zsh", "ash", "busybox"].contains(Path.name(of: path))
    }
}
