import Dispatch
import Foundation
import Synchronization

/// A thread of its own for work that blocks, one piece after another, for as long as the program runs.
///
/// Dispatch and Swift's tasks share as many threads as there are processors: two that wait for a host would leave
/// none to answer anybody else.
final class ErrandThread: Sendable {
    private let errands = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                count.wait()
                errands.withLock { $0.removeFirst() }()
            }
        }
    }

    func run(_ errand: @escaping @Sendable () -> Void) {
        errands.withLock { $0.append(errand) }
        count.signal()
    }
}
