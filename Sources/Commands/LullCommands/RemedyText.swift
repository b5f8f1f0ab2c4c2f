/// Remedies name commands: `lull launch com.example.News.refresh`.
///
/// If a command was given `--state`, the commands in its remedies name it too.
package enum RemedyText {
    /// These read no state.
    private static let others = ["import", "schema", "simulate", "backtest", "plugin", "manual", "help"]

    /// The text with `--state STATE` in each of its commands that reads a state and names none.
    package static func naming(_ state: String, in text: String) -> String {
        var parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        // A last backtick without a partner begins no command.
        for index in stride(from: 1, to: parts.count - 1, by: 2) {
            let words = parts[index].split(separator: " ")
            guard words.count > 1, words[0] == "lull", !words[1].hasPrefix("-"),
                !others.contains(String(words[1])), !words.contains("--state")
            else { continue }
            parts[index] += " --state \(quoted(state))"
        }
        return parts.joined(separator: "`")
    }

    /// For a shell.
    private static func quoted(_ path: String) -> String {
        let plain = path.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+@%,:=".contains($0))
        }
        return plain && !path.isEmpty ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
