import Dispatch
import Foundation
import Synchronization

/// A thread of its own for work that blocks, one piece after another, for as long as the program runs.
///
/// Dispatch and Swift's tasks share as many threads as there are processors: two that wait for a host would leave
/// none to answer anybody else.
final class BlockingThread: Sendable {
    private let blocking = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                count.wait()
                blocking.withLock { $0.removeFirst() }()
            }
        }
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        blocking.withLock { $0.append(work) }
        count.signal()
    }
}
