import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

/// A scheduler of its own for each test, on a fake host.
struct Fixture {
    static let refresh = "com.example.Feed.refresh"
    static let cleaning = "com.example.Feed.cleaning"

    let host: FakeHost
    let scheduler: BGTaskScheduler

    init(size: Int = MemoryLayout<lull_host>.size) {
        host = FakeHost(permitted: [Self.refresh, Self.cleaning], size: size)
        scheduler = BGTaskScheduler(host: HostTable(UnsafePointer(host.table)))
        // Alive until the process ends, as `shared` is.
        _ = Unmanaged.passRetained(scheduler)
    }

    func launch(
        _ identifier: String = refresh, number: lull_task = 1, kind: Int = LULL_KIND_REFRESH,
        settings: String = "{}"
    ) {
        scheduler.launch(
            Launch(task: number, kind: lull_kind(kind), identifier: identifier, settings: settings)
        )
    }

    func register(
        _ identifier: String = refresh, using queue: DispatchQueue? = nil,
        handler: @escaping @isolated(any) (BGTask) -> Void
    ) -> Bool {
        scheduler.register(forTaskWithIdentifier: identifier, using: queue, launchHandler: handler)
    }
}

/// A value that a handler leaves for the test.
final class Left<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init(_ type: Value.Type = Value.self) {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func leave(_ value: Value) { continuation.yield(value) }

    /// The next value left, waiting for it.
    func next() async throws -> Value {
        for await value in stream { return value }
        throw CancellationError()
    }
}
