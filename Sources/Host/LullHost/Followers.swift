import LullControl

/// The clients that wait for a run's output.
struct Followers {
    /// A structure, and no tuple: each time a function is taken out of a tuple in an array and put back, Swift wraps it once
    /// more, and a call that goes through a hundred thousand of these wraps has no stack left.
    private struct Follower {
        let question: Ask.Printed
        let respond: Respond<Ask.Printed>
    }
    private var waiting: [Follower] = []

    mutating func add(_ question: Ask.Printed, _ respond: @escaping Respond<Ask.Printed>) {
        waiting.append(Follower(question: question, respond: respond))
    }

    /// Removes the followers that have something to read, and returns each with its part; the others go on waiting. A
    /// reply may bring the next question at once.
    mutating func takeReady(
        _ part: (Ask.Printed) -> PrintedPart?
    ) -> [(respond: Respond<Ask.Printed>, part: PrintedPart)] {
        var ready: [(respond: Respond<Ask.Printed>, part: PrintedPart)] = []
        waiting.removeAll { follower in
            guard let part = part(follower.question) else { return false }
            ready.append((follower.respond, part))
            return true
        }
        return ready
    }
}
