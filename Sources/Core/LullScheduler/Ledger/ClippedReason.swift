import LullModel

extension String {
    /// At most `limit` bytes, whole characters.
    func clipped(to limit: Int) -> String {
        var end = startIndex
        var count = 0
        for character in self {
            count += character.utf8.count
            if count > limit - 3 { return self[..<end] + "…" }
            end = index(after: end)
        }
        return self
    }
}

/// A reason as the history keeps it.
extension PrintedLast {
    /// The sentence and the quoted lines are clipped apart, so that a long sentence leaves the lines their room.
    var clipped: String {
        let sentence = sentence.clipped(to: Limits.reasonBytes)
        guard !lines.isEmpty else { return sentence }
        let quoted = Self(sentence: "", lines: lines).reason
        return sentence + quoted.clipped(to: Limits.quotedBytes)
    }
}
