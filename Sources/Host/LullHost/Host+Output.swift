import LullControl
import LullModel

/// Clients that follow a run's output: they are answered when there is some, and cost nothing meanwhile.
extension Host {
    func follow(_ question: Ask.Printed, _ respond: @escaping Respond<Ask.Printed>) {
        if let part = part(for: question) { return respond(.success(part)) }
        followers.add(question, respond)
    }

    /// Something was printed, or the end of a run is durable.
    func tellFollowers() {
        for (respond, part) in followers.takeReady(part) { respond(.success(part)) }
    }

    /// Nil: nothing yet.
    private func part(for question: Ask.Printed) -> PrintedPart? {
        guard let part = outputs.part(of: question.run, from: question.from) else {
            return PrintedPart(isOver: true)
        }
        return part.pieces.isEmpty && question.waits ? nil : part
    }
}
