import CLullEntry
import CLullPlugin
import Foundation

// The Swift half of the plugin's entry; the C half is in CLullEntry. Top-level functions and not
// closures, so that none of them inherits an actor that the calling thread is not on.

/// The author's `main` is about to be called.
@c @implementation
func lull_swift_will_start() {
    AppBundle.adopt()
}

/// The author's `main` has returned: from here on no handler may be registered.
@c @implementation
func lull_swift_did_start() {
    AppLaunch.finish()
}

/// The host launches a task.
@c @implementation
func lull_swift_launch(_ launch: UnsafePointer<lull_launch>) {
    BGTaskScheduler.shared.registry.launch(Launch(launch))
}

/// Serves the main queue, and with it the main actor, for the rest of the process; on the first thread, as on iOS, and
/// with the timers of `RunLoop.main`.
@c @implementation
func lull_swift_run() {
    // A run loop that has nothing to watch returns at once; this timer is never due.
    RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
}

/// A task's time is up, or its conditions are gone. `context` is the registry that launched it.
@c
func lull_swift_expire(_ context: UnsafeMutableRawPointer?, _ task: lull_task) {
    guard let context else { return }
    Unmanaged<Registry>.fromOpaque(context).takeUnretainedValue().expire(task)
}

/// Adds one pending request to the `PendingRequests` that `context` points to.
@c
func lull_swift_visit(_ context: UnsafeMutableRawPointer?, _ request: UnsafePointer<lull_request>) {
    guard let context else { return }
    Unmanaged<PendingRequests>.fromOpaque(context).takeUnretainedValue().append(request)
}

/// The time of an activity is up. `context` is the registry that began it.
@c
func lull_swift_expire_activity(_ context: UnsafeMutableRawPointer?, _ number: UInt64) {
    guard let context else { return }
    Unmanaged<Registry>.fromOpaque(context).takeUnretainedValue().activities.expire(number)
}

/// The machine begins or ends to save power.
@c
func lull_swift_power_changed(_ context: UnsafeMutableRawPointer?, _ isLowPowerMode: Bool) {
    PowerState.changed()
}
