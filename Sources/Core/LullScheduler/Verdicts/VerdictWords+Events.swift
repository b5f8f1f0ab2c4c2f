import LullModel

/// The words for the events that a task with `on` waits for.
extension VerdictWords {
    func words(for awaited: [GateFact.AwaitedEvent], watched: WallTime?, last: WallTime?) -> String {
        let since = awaited.compactMap(\.watch?.since).max() ?? watched
        var text = "it waits for " + Self.either(awaited.map(\.trigger.phrase))
        if let since { text += ", watched since \(moment(since))" }
        for each in awaited {
            if let trouble = each.watch?.trouble { text += "; " + trouble }
            for words in each.before.compactMap(words) { text += "; " + words }
        }
        return text + "; " + (last.map { "the last came \(at($0))" } ?? "none has come yet")
    }

    /// How the task before it ended, where that is why the next was not asked for.
    private func words(for before: GateFact.AwaitedEvent.Before) -> String? {
        let task = before.link.task
        if before.isRunning { return "\(task) is running" }
        if !before.isMet, let root = before.brokenBy {
            return "\(task) did not run: \(root.task) \(root.outcome.deed) \(at(root.ended))"
        }
        guard let outcome = before.outcome, let ended = before.ended else { return nil }
        let deed = outcome.deed
        let time = at(ended)
        let isWanted = before.link.outcome.fits(outcome, endedBy: nil)
        return "\(task) \(before.isMet ? "has done so: it " : isWanted ? "last " : "")\(deed) \(time)"
    }

    /// "a, b or c".
    private static func either(_ items: [String]) -> String {
        guard items.count > 1, let last = items.last else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " or " + last
    }
}
