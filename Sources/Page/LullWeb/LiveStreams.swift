import Synchronization

/// Who listens to changes: while anybody does, one question for the next change is open, and no more than one.
///
/// What is sent is a number, not what changed: the page then asks. A stream that is not read holds one number.
actor LiveStreams {
    /// Beyond so many the one that has listened longest gives way: who holds them all keeps nobody out. A page whose stream ends
    /// joins again by itself.
    private let limit: Int

    private let answers: any WebAnswers
    private var streams: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
    private var nextStream: UInt64 = 0
    private var question: Task<Void, Never>?
    /// The number of the newest change.
    private var known: UInt64?
    /// Between two questions, so that a host that is busy is not asked for each event.
    private let pause: Duration

    init(answers: any WebAnswers, limit: Int = 64, pause: Duration = .milliseconds(250)) {
        self.answers = answers
        self.limit = limit
        self.pause = pause
    }

    func join() -> AsyncStream<UInt64> {
        if streams.count >= limit, let oldest = streams.keys.min() {
            streams.removeValue(forKey: oldest)?.finish()
        }
        nextStream += 1
        let number = nextStream
        let (stream, continuation) = AsyncStream<UInt64>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { _ in Task { [weak self] in await self?.leave(number) } }
        streams[number] = continuation
        if let known { continuation.yield(known) }
        if question == nil { question = Task { await self.ask() } }
        return stream
    }

    var count: Int { streams.count }

    /// The question stays open, for nothing calls it back: who comes next takes it over.
    private func leave(_ number: UInt64) { streams[number] = nil }

    private func ask() async {
        known = nil
        while !streams.isEmpty {
            do {
                let count = try await answers.change(after: known)
                if known != count { for stream in streams.values { stream.yield(count) } }
                known = count
                try await Task.sleep(for: pause)
            } catch {
                // No host answers: the page sees so for itself, and its return is a change.
                known = nil
                try? await Task.sleep(for: .seconds(2))
            }
        }
        question = nil
    }
}
