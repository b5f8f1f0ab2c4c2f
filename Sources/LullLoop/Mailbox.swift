private import Glibc
private import Synchronization

/// Work that other threads hand to the loop: a queue behind a lock, and an eventfd that wakes the loop.
final class Mailbox: Sendable {
    private let descriptor: Int32
    private let queue = Mutex<[@Sendable () -> Void]>([])

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func post(_ work: @escaping @Sendable () -> Void) {
        let wasEmpty = queue.withLock { queue in
            queue.append(work)
            return queue.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    func deliver() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        let work = queue.withLock { queue in
            defer { queue.removeAll(keepingCapacity: true) }
            return queue
        }
        for item in work { item() }
    }
}

/// Sends work to a loop from any thread; what is posted after the loop has ended is dropped with it.
public struct Poster: Sendable {
    let mailbox: Mailbox
    public func post(_ work: @escaping @Sendable () -> Void) { mailbox.post(work) }
}

/// A system call of the loop that failed.
public struct LoopError: Error, Sendable, Equatable {
    public let operation: String
    public let code: Int32

    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    public var message: String { "Can't \(operation): \(String(cString: strerror(code)))." }
}
