import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

// As iOS apps write it, to hand tasks and their scheduler from one thread to another. (Theirs is `@retroactive`.)
extension BGTask: @unchecked Sendable {}
extension BGTaskScheduler: @unchecked Sendable {}

/// A separate scheduler for each test, on a fake host.
struct Fixture {
    static let refresh = "com.example.Feed.refresh"
    static let cleaning = "com.example.Feed.cleaning"

    let host: FakeHost
    let scheduler: BGTaskScheduler

    init(size: Int = MemoryLayout<lull_host>.size, permitted: Set<String> = [refresh, cleaning]) {
        host = FakeHost(permitted: permitted, size: size)
        scheduler = BGTaskScheduler(host: HostTable(UnsafePointer(host.table)))
        // Alive until the process ends, as `shared` is.
        _ = Unmanaged.passRetained(scheduler.registry)
    }

    func launch(
        _ identifier: String = refresh, number: lull_task = 1, kind: Int = LULL_KIND_REFRESH,
        settings: String = "{}"
    ) {
        scheduler.registry.finishLaunching()
        scheduler.registry.launch(
            Launch(task: number, kind: lull_kind(kind), identifier: identifier, settings: settings)
        )
    }

    /// Finishes the app's launch, and tells the worker.
    func finishLaunching() {
        scheduler.registry.finishLaunching()
        host.record.withLock { $0.hasStarted = true }
    }

    func expire(_ number: lull_task = 1) { scheduler.registry.expire(number) }

    func register(
        _ identifier: String = refresh, using queue: DispatchQueue? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @isolated(any) (sending BGTask) -> Void
    ) -> Bool {
        scheduler.register(
            forTaskWithIdentifier: identifier, using: queue, launchHandler: handler, file: file, line: line)
    }

    /// Launches the refresh task with a handler that returns at once; returns its task.
    func runningTask(kind: Int = LULL_KIND_REFRESH) async throws -> BGTask {
        let given = Left<BGTask>()
        try #require(register { given.leave($0) })
        launch(kind: kind)
        return try await given.next()
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

    /// Waits for the next value, and returns it.
    func next() async throws -> Value {
        for await value in stream { return value }
        throw CancellationError()
    }
}
