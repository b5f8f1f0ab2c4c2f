import Synchronization

/// A value that one task leaves for another thread; the first one stays.
final class FirstValue<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    var value: Value? { held.withLock { $0 } }

    func set(_ value: Value) { held.withLock { $0 = $0 ?? value } }
}
