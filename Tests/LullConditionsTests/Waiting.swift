import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullConditions

extension ConditionSensors {
    /// Acts once the sensors are at rest, and runs the loop until an event's change satisfies `isAwaited`; a
    /// recorded issue if none does within 20 s.
    func wait(
        on loop: EventLoop, after action: () -> Void, until isAwaited: @escaping (Conditions) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var isSeen = false
        start { conditions in
            guard isAwaited(conditions) else { return }
            isSeen = true
            loop.stop()
        }
        loop.onAlarm = { loop.stop() }
        loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
        // The look after a start would find any change, even without an event.
        didLook = { loop.stop() }
        loop.run()
        didLook = nil
        isSeen = false
        action()
        loop.run()
        if !isSeen { Issue.record("no event told of the change", sourceLocation: sourceLocation) }
    }
}
