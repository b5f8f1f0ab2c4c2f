import LullModel

/// Workers to be started once their plugins and users are looked up. A look may hang, and end after its start was called
/// off and made anew: so each look has a number.
struct PendingStarts {
    private var looks: [WorkerID: UInt64] = [:]
    private var last: UInt64 = 0

    var isEmpty: Bool { looks.isEmpty }

    mutating func begin(_ worker: WorkerID) -> UInt64 {
        last += 1
        looks[worker] = last
        return last
    }

    /// False: the start was called off, or this is the look of an earlier one.
    mutating func end(_ worker: WorkerID, look: UInt64) -> Bool {
        guard looks[worker] == look else { return false }
        looks[worker] = nil
        return true
    }

    /// False: no start of it waits.
    mutating func callOff(_ worker: WorkerID) -> Bool { looks.removeValue(forKey: worker) != nil }
}
