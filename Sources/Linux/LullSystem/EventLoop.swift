private import CLullShims
private import Glibc
public import LullModel
private import Synchronization

/// The host's one loop: file descriptors, and two alarms, on the thread that calls `run`.
///
/// It sleeps in `epoll_wait` until something happened and never ticks. Everything is called on the loop's own
/// thread, and callbacks run there one after another; other threads send through a `LoopChannel`. Failing to make the loop's own descriptors is an
/// error of `init`; afterwards nothing here can fail for reasons of the world but `EMFILE`, which `watch`
/// reports.
public final class EventLoop {
    public struct Interest: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let readable = Interest(rawValue: 1)
        public static let writable = Interest(rawValue: 2)
        /// Exceptional: how PSI triggers and some sysfs files announce themselves (EPOLLPRI).
        public static let priority = Interest(rawValue: 4)
        /// Only ever reported: the other side is gone.
        public static let hangup = Interest(rawValue: 8)
    }

    private var poll: Int32 = -1
    private var wallAlarm: Int32 = -1
    private var monotonicAlarm: Int32 = -1
    private var watches: [Int32: Watch] = [:]
    private var watchCount: UInt32 = 0
    /// Descriptors that `epoll` has no room for: its watches are counted for all processes of a user, and one of them
    /// may use them all up. These are watched with `poll`, which needs none.
    private var polled: [Int32: Int16] = [:]
    /// How many `epoll` takes at most; for tests, which can't use up the kernel's.
    var mostInKernel = Int.max
    /// Whether there are inotify instances; for tests, which can't use up the kernel's.
    var hasInotify = true
    /// The time between two looks at files that can't be watched.
    public internal(set) var fileLookInterval: Duration = .seconds(15)
    private var fileShortages: [ObjectIdentifier: FileShortage] = [:]
    private var isRunning = false
    /// The armed instants, and those that are set in the kernel, which has none after a ring.
    private var alarms = (wall: Int64(0), monotonic: Int64(0))
    private var kernels: (wall: Int64?, monotonic: Int64?)
    /// The kernel gets armed instants only before the loop sleeps: in one round much is armed again and again.
    private var isUnsettled = false
    private var unsettled: [() -> Void] = []
    /// A descriptor's handler, and a number: within a round of events a descriptor may be reused, a number is not.
    private struct Watch {
        let number: UInt32
        let handler: (Interest) -> Void
    }

    /// Called when an armed deadline came or the wall clock was set.
    public var onAlarm: (() -> Void)?
    /// Called when `fileShortage` has changed.
    public var onFileShortage: (() -> Void)?

    public init() throws(LoopError) {
        let poll = epoll_create1(Int32(LULL_EPOLL_CLOEXEC.rawValue))
        let flags = Int32(LULL_TIMERFD_FLAGS.rawValue)
        let wall = timerfd_create(CLOCK_REALTIME, flags)
        let monotonic = timerfd_create(CLOCK_MONOTONIC, flags)
        guard poll >= 0, wall >= 0, monotonic >= 0 else {
            let code = errno
            for descriptor in [poll, wall, monotonic] where descriptor >= 0 { close(descriptor) }
            throw LoopError(operation: "make the event loop", code: code)
        }
        self.poll = poll
        wallAlarm = wall
        monotonicAlarm = monotonic
        try watch(wall, .readable) { [unowned self] _ in alarmRang(wall) }
        try watch(monotonic, .readable) { [unowned self] _ in alarmRang(monotonic) }
    }

    deinit {
        for descriptor in [poll, wallAlarm, monotonicAlarm] where descriptor >= 0 { close(descriptor) }
    }

    /// Calls `handler` whenever `descriptor` is ready; the descriptor stays the caller's. Watching again
    /// replaces.
    public func watch(
        _ descriptor: Int32, _ interest: Interest, handler: @escaping (Interest) -> Void
    ) throws(LoopError) {
        var event = epoll_event()
        event.events = epollBits(interest)
        watchCount &+= 1
        event.data.u64 = UInt64(watchCount) << 32 | UInt64(UInt32(bitPattern: descriptor))
        let isNew = watches[descriptor] == nil || polled[descriptor] != nil
        let hasRoom = !isNew || watches.count - polled.count < mostInKernel
        if hasRoom, epoll_ctl(poll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) == 0 {
            polled[descriptor] = nil
        } else if isNew, !hasRoom || errno == ENOSPC {
            polled[descriptor] = Int16(truncatingIfNeeded: event.events)
        } else {
            throw LoopError(operation: "watch descriptor \(descriptor)", code: errno)
        }
        watches[descriptor] = Watch(number: watchCount, handler: handler)
    }

    /// To be called before the descriptor is closed. Does nothing for one that is not watched.
    public func forget(_ descriptor: Int32) {
        guard watches.removeValue(forKey: descriptor) != nil, polled.removeValue(forKey: descriptor) == nil
        else { return }
        _ = epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Rings `onAlarm` at the earlier of the two instants, and when the wall clock is set; nil disarms.
    public func arm(wall: WallTime?, monotonic: MonotonicTime?) {
        // With cancel-on-set even a disarmed wall clock announces a step, so it is always armed, far off if
        // need be.
        let far = WallTime(seconds: 7_258_118_400)
        alarms.wall = min(max(wall ?? far, WallTime(milliseconds: 1)), far).milliseconds
        alarms.monotonic = monotonic.map { max($0.nanoseconds, 1) } ?? 0
        isUnsettled = true
    }

    func settleLater(_ timer: @escaping () -> Void) { unsettled.append(timer) }

    /// Sets in the kernel what was armed since the loop slept.
    private func settle() {
        for timer in unsettled { timer() }
        unsettled.removeAll(keepingCapacity: true)
        guard isUnsettled else { return }
        isUnsettled = false
        if kernels.monotonic != alarms.monotonic {
            kernels.monotonic = alarms.monotonic
            set(monotonicAlarm, LULL_TIMER_ABSTIME.rawValue, alarms.monotonic)
        }
        guard kernels.wall != alarms.wall else { return }
        kernels.wall = alarms.wall
        // The clock was set since it was armed, and this is how the kernel reports it.
        if !set(wallAlarm, LULL_TIMER_ABSTIME_CANCEL_ON_SET.rawValue, alarms.wall * 1_000_000),
            errno == ECANCELED
        {
            onAlarm?()
            settle()
        }
    }

    @discardableResult
    private func set(_ alarm: Int32, _ flags: UInt32, _ nanoseconds: Int64) -> Bool {
        var spec = itimerspec()
        spec.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        spec.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        return timerfd_settime(alarm, Int32(flags), &spec, nil) == 0
    }

    /// Runs until `stop` is called from a callback.
    public func run() {
        isRunning = true
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while isRunning {
            settle()
            guard isRunning else { return }
            let others = waitForOthers()
            let count = epoll_wait(poll, &events, Int32(events.count), polled.isEmpty ? -1 : 0)
            guard count > 0 || !others.isEmpty else { continue }
            for event in events.prefix(Int(max(0, count))) + others {
                // A handler before it in this round may have forgotten the descriptor, and another may bear
                // its number.
                let descriptor = Int32(truncatingIfNeeded: event.data.u64)
                guard let watch = watches[descriptor], UInt64(watch.number) == event.data.u64 >> 32 else {
                    continue
                }
                watch.handler(interest(event.events))
            }
        }
    }

    /// Sleeps until there is an event for a descriptor outside `epoll`, or in it. Returns at once if all are in it.
    private func waitForOthers() -> [epoll_event] {
        guard !polled.isEmpty else { return [] }
        var looks = [pollfd(fd: poll, events: Int16(POLLIN), revents: 0)]
        looks += polled.map { pollfd(fd: $0.key, events: $0.value, revents: 0) }
        guard Glibc.poll(&looks, nfds_t(looks.count), -1) > 0 else { return [] }
        return looks.dropFirst().compactMap { look in
            guard look.revents != 0, let watch = watches[look.fd] else { return nil }
            var event = epoll_event()
            // The bits of both are the same.
            event.events = UInt32(UInt16(bitPattern: look.revents))
            event.data.u64 = UInt64(watch.number) << 32 | UInt64(UInt32(bitPattern: look.fd))
            return event
        }
    }

    public func stop() { isRunning = false }

    /// Why some files are polled and not watched; nil: none are.
    public var fileShortage: FileShortage? {
        fileShortages.values.contains(.instances) ? .instances : fileShortages.values.first
    }

    func setFileShortage(_ shortage: FileShortage?, of watcher: ObjectIdentifier) {
        let before = fileShortage
        fileShortages[watcher] = shortage
        if fileShortage != before { onFileShortage?() }
    }

    private func alarmRang(_ descriptor: Int32) {
        var count: UInt64 = 0
        // ECANCELED (the clock was set) leaves nothing to read and counts as a ring.
        _ = read(descriptor, &count, 8)
        if descriptor == wallAlarm { kernels.wall = nil } else { kernels.monotonic = nil }
        onAlarm?()
    }

    private func epollBits(_ interest: Interest) -> UInt32 {
        var bits: UInt32 = 0
        if interest.contains(.readable) { bits |= LULL_IN.rawValue }
        if interest.contains(.writable) { bits |= LULL_OUT.rawValue }
        if interest.contains(.priority) { bits |= LULL_PRI.rawValue }
        return bits
    }

    private func interest(_ bits: UInt32) -> Interest {
        var interest: Interest = []
        if bits & LULL_IN.rawValue != 0 { interest.insert(.readable) }
        if bits & LULL_OUT.rawValue != 0 { interest.insert(.writable) }
        if bits & LULL_PRI.rawValue != 0 { interest.insert(.priority) }
        if bits & LULL_GONE.rawValue != 0 { interest.insert(.hangup) }
        return interest
    }
}
