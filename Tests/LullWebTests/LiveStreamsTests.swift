import Synchronization
import TestSupport
import Testing

@testable import LullWeb

/// Pages that come and go while nothing changes.
struct LiveStreamsTests {
    @Test func `who comes takes up the question that who left has left open`() async throws {
        let asked = Mutex<[UInt64?]>([])
        let (open, isOpen) = AsyncStream<Void>.makeStream()
        let (change, changes) = AsyncStream<UInt64>.makeStream()
        let answers = try FakeAnswers(
            now: at(8),
            onChange: { known in
                asked.withLock { $0.append(known) }
                guard known != nil else { return 1 }
                isOpen.yield()
                return await change.first { _ in true } ?? 0
            })
        let live = LiveStreams(answers: answers, pause: .zero)
        for round in 0..<3 {
            let stream = await live.join()
            let (heard, hears) = AsyncStream<UInt64>.makeStream()
            let page = Task { for await number in stream { hears.yield(number) } }
            #expect(await heard.first { _ in true } == 1)
            if round == 0 { _ = await open.first { _ in true } }
            page.cancel()
            while await live.count > 0 { await Task.yield() }
        }
        #expect(asked.withLock { $0 } == [nil, 1])
        // The answer goes to the streams that listen when it comes.
        let stream = await live.join()
        changes.yield(2)
        #expect(await stream.first { $0 == 2 } == 2)
    }

    @Test func `whoever comes when all places are taken gets that of the one that has listened longest`()
        async throws
    {
        let answers = try FakeAnswers(now: at(8), onChange: { $0 ?? 1 })
        let live = LiveStreams(answers: answers, limit: 2, pause: .seconds(3600))
        let streams = [await live.join(), await live.join(), await live.join()]
        #expect(await live.count == 2)
        var first = streams[0].makeAsyncIterator()
        while await first.next() != nil {}
        for stream in streams.dropFirst() { #expect(await stream.first { _ in true } == 1) }
    }
}
