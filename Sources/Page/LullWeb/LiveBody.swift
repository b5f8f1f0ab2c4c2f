/// Changes as server-sent events: `event: changed`, and a comment now and then, which reveals a client that has gone.
struct LiveBody: Sendable {
    let changes: AsyncStream<UInt64>
    /// Checked before each text, so that a revoked token ends the stream.
    var mayListen: @Sendable () -> Bool = { true }
    var quiet: Duration = .seconds(20)

    /// A greeting, changes and comments in one stream; once it ends, their tasks are cancelled.
    func texts() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(4))
        continuation.yield(": changes of this host\n\n")
        let send: @Sendable (String) -> Void = { [mayListen] text in
            if mayListen() { continuation.yield(text) } else { continuation.finish() }
        }
        let telling = Task { [changes] in
            for await number in changes { send("event: changed\ndata: \(number)\n\n") }
            continuation.finish()
        }
        let breathing = Task { [quiet] in
            while (try? await Task.sleep(for: quiet)) != nil { send(": still here\n\n") }
        }
        continuation.onTermination = { _ in
            telling.cancel()
            breathing.cancel()
        }
        return stream
    }
}
