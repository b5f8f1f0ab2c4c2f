import LullModel

extension PrintedLast {
    /// For a terminal: the sentence, and below it what was printed, each line marked as quoted.
    var quoted: String {
        ([sentence.terminalSafeLines] + lines.map { "│ " + $0.terminalSafe }).joined(separator: "\n")
    }
}
