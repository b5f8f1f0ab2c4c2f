import Glibc
import LullModel
import LullSystem
import LullWire
import LullWorkers

/// A loop and a pool, for one worker after another.
final class CheckBench {
    let loop: EventLoop
    var onEvent: ((WorkerEvent) -> Void)?
    private var poolStorage: WorkerPool?
    private var runs: UInt64 = 0

    init(worker: String) throws(LoopError) {
        loop = try EventLoop()
        poolStorage = try WorkerPool(loop: loop, executable: worker, stateFolder: "/") {
            [unowned self] _, event in
            onEvent?(event)
            loop.stop()
        }
    }

    var pool: WorkerPool {
        guard let poolStorage else { preconditionFailure("a bench has a pool from its init on") }
        return poolStorage
    }

    func nextRun() -> UInt64 {
        runs += 1
        return runs
    }

    func wait(_ limit: Duration, until isDone: () -> Bool) -> Bool {
        let end = Clock.monotonic + limit
        loop.onAlarm = { [unowned self] in loop.stop() }
        while !isDone() {
            guard Clock.monotonic < end else { return false }
            loop.arm(wall: nil, monotonic: end)
            loop.run()
        }
        return true
    }
}
