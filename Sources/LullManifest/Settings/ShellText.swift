/// A line for a shell, as far as it can be told what it begins with.
public enum ShellText {
    /// The first program that it runs, where that is a plain word; nil: it is a shell's own, or can't be told.
    public static func firstProgram(of text: String) -> String? {
        let line = text.drop(while: \.isWhitespace)
        let word = line.prefix { plain.contains($0) }
        guard !word.isEmpty, !own.contains(String(word)) else { return nil }
        // An assignment, a pattern, a quote or a function goes on without a space.
        let next = line.dropFirst(word.count).first
        guard next.map({ $0.isWhitespace || ";|&<>".contains($0) }) ?? true else { return nil }
        // `name ()` makes a function, and `2> file` is no program.
        guard line.dropFirst(word.count).first(where: { !$0.isWhitespace }) != "(",
            !word.allSatisfy(\.isNumber)
        else { return nil }
        return String(word)
    }

    /// Whether a shell reads lines as POSIX says.
    public static func isKnown(shell path: String) -> Bool {
        ["sh", "dash", "bash", "ksh", "mksh", "zsh", "ash", "busybox"].contains(Path.name(of: path))
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:@%")

    /// Words that are no programs, of sh and of those that came after it.
    private static let own: Set<String> = Set(
        """
        . : [ alias autoload bg bind break builtin case caller cd command compgen complete continue coproc declare \
        dirs disown do done echo elif else emulate enable esac eval exec exit export false fc fg fi float for function \
        getopts hash help history if in integer jobs kill let local logout mapfile noglob popd print printf pushd pwd \
        read readarray readonly return select set setopt shift shopt source suspend test then time times trap true \
        type typeset ulimit umask unalias unset until wait whence where which while
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
