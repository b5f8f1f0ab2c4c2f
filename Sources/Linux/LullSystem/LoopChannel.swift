private import CLullShims
private import Glibc
private import Synchronization

/// A one-way channel of values from other threads to the loop, received in order on the loop's thread.
///
/// The receiver lives on the loop and need not be sendable.
public final class LoopChannel<Message: Sendable>: Sendable {
    private let descriptor: Int32
    private let queue = Mutex<[Message]>([])

    /// Makes the channel and begins to receive. The loop keeps it for as long as it watches.
    public init(on loop: EventLoop, receive: @escaping ([Message]) -> Void) throws(LoopError) {
        descriptor = eventfd(0, Int32(LULL_EVENTFD_FLAGS.rawValue))
        guard descriptor >= 0 else { throw LoopError(operation: "make a channel to the loop", code: errno) }
        try loop.watch(descriptor, .readable) { _ in receive(self.take()) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Callable from any thread.
    public func send(_ message: Message) {
        let wasEmpty = queue.withLock { queue in
            queue.append(message)
            return queue.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    private func take() -> [Message] {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        return queue.withLock { queue in
            defer { queue = [] }
            return queue
        }
    }
}
