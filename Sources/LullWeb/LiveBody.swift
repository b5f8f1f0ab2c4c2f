import FlyingFox
import FlyingSocks

/// Changes as server-sent events: `event: changed`, and a comment now and then so that who is gone is noticed.
struct LiveBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let changes: AsyncStream<UInt64>
    var quiet: Duration = .seconds(20)

    func makeAsyncIterator() -> Iterator { Iterator(merged: merged()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var merged: AsyncStream<String>.Iterator
        private var hasBegun = false

        init(merged: AsyncStream<String>) { self.merged = merged.makeAsyncIterator() }

        mutating func next() async throws -> UInt8? { nil }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            guard hasBegun else {
                hasBegun = true
                return Array(": changes of this host\n\n".utf8)
            }
            return await merged.next().map { Array($0.utf8) }
        }
    }

    /// Changes and comments in one stream; when it is let go, both ends of it are.
    private func merged() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(4))
        let telling = Task { [changes] in
            for await number in changes { continuation.yield("event: changed\ndata: \(number)\n\n") }
            continuation.finish()
        }
        let breathing = Task { [quiet] in
            while (try? await Task.sleep(for: quiet)) != nil { continuation.yield(": still here\n\n") }
        }
        continuation.onTermination = { _ in
            telling.cancel()
            breathing.cancel()
        }
        return stream
    }
}
