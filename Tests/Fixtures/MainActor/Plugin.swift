import CLullPlugin
import Queue

// Written once, in `start`, before anything else runs; only read afterwards.
nonisolated(unsafe) private var host: UnsafePointer<lull_host>?
nonisolated(unsafe) private let handlers = Handlers()

/// Its handler belongs to the main actor, because it is written there, but it runs on a queue.
@MainActor final class Feed {
    private var count = 0

    func register() {
        handlers.whenLaunched { task in
            self.count += 1
            if let host { host.pointee.set_task_completed(host, task, true) }
        }
    }
}

@c(plugin_start) public func start(_ given: UnsafePointer<lull_host>) -> Int32 {
    host = given
    "org.example.good.now".withCString { _ = given.pointee.register_task(given, $0) }
    MainActor.assumeIsolated { Feed().register() }
    return 0
}

@c(plugin_launch) public func launch(_ launch: UnsafePointer<lull_launch>) {
    handlers.launch(launch.pointee.task)
}
