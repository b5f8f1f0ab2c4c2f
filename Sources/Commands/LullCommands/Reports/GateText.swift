import LullModel

/// A gate's verdict in words: its reason, and the times that the reason does not name itself.
package struct GateText {
    let gate: GateVerdict
    let phrases: Phrases

    package init(gate: GateVerdict, phrases: Phrases) {
        self.gate = gate
        self.phrases = phrases
    }

    /// For a table's cell: no full stop.
    package var clause: String {
        var times: [String] = []
        // Where time alone opens the gate, only its end matters.
        if gate.until == nil, let since = gate.since { times.append("since \(phrases.time(since))") }
        if let until = unnamedEnd { times.append("until \(phrases.time(until))") }
        return times.isEmpty ? reason : reason + " (\(times.joined(separator: ", ")))"
    }

    /// For a line of its own.
    var sentences: String {
        var text = reason + "."
        if let since = gate.since { text += " Since \(phrases.time(since)), \(phrases.past(since))." }
        if let until = unnamedEnd { text += " Until \(phrases.time(until)), \(phrases.relative(until))." }
        return text
    }

    private var reason: String {
        var reason = gate.reason
        while reason.last == "." { reason.removeLast() }
        return reason
    }

    private var unnamedEnd: WallTime? {
        let words = [
            "not before", "next time is", "opens ", "which ends", "until", "next at", ", next ",
            "expected at", "at the latest",
            "not again before",
            "again at",
        ]
        return words.contains { gate.reason.contains($0) } ? nil : gate.until
    }
}
