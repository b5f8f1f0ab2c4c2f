import Synchronization

/// The streams that listen to changes: while there is any, one question for the next change is open, and no more than one.
///
/// A stream gets a number, not the change itself: the page then asks. A stream that is not read holds one number.
actor LiveStreams {
    /// At this limit the oldest stream is closed, so that a client that holds all of them keeps nobody out. A page
    /// whose stream ends joins again by itself.
    private let limit: Int

    private let answers: any WebAnswers
    private var streams: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
    private var nextStream: UInt64 = 0
    private var question: Task<Void, Never>?
    /// The number of the newest change.
    private var known: UInt64?
    /// The pause between two questions, so that a busy host is not asked for each event.
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

    /// The open question can't be cancelled: the next stream takes it over.
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
                // No host answers: the page finds that out itself, and the host's return is a change.
                known = nil
                try? await Task.sleep(for: .seconds(2))
            }
        }
        question = nil
    }
}
