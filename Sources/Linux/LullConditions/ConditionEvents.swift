import LullModel
import LullSystem

/// Everything that wakes the loop for a condition: the kernel's sockets and triggers, the bus, watched files,
/// the timer.
///
/// Each is there where it is permitted and left out where not; `announced` says for which sensors there is
/// one.
final class ConditionEvents {
    private let loop: EventLoop
    /// Called with what changed; nil: it is time to sample.
    private let onEvent: (Set<Conditions.Sensor>?) -> Void
    private let powerSupplies: KernelSocket?
    private let powerProfile: PowerProfileWatch?
    private let routes: KernelSocket?
    private let pressure: PressureTrigger?
    private var files: FileEvents?
    private var folders: [String: FileEvents.Token] = [:]
    /// The sensors whose files have changed, until that is reported.
    private var changed: Set<Conditions.Sensor> = []
    private var timer: LoopTimer?
    /// The time between samples; nil: there is only one.
    private var interval: Duration?
    private let bus: SystemBus?
    private let roots: ConditionRoots
    private var watched: [Int32] = []
    private(set) var announced: Set<Conditions.Sensor> = []

    init(
        roots: ConditionRoots, loop: EventLoop, bus: SystemBus?,
        onEvent: @escaping (Set<Conditions.Sensor>?) -> Void
    ) {
        self.roots = roots
        self.loop = loop
        self.bus = bus
        self.onEvent = onEvent
        powerSupplies = roots.isSysfsReal ? KernelSocket(.powerSupplies) : nil
        powerProfile = roots.isSysfsReal ? PowerProfileWatch(sysfs: roots.sysfs) : nil
        routes = roots.isProcfsReal ? KernelSocket(.routes) : nil
        pressure = roots.isProcfsReal ? PressureTrigger(procfs: roots.procfs) : nil
        listenToKernel()
        listenToBus()
        listenToFiles()
        timer = try? LoopTimer(on: loop) { [weak self] in
            guard let self else { return }
            if let interval { timer?.arm(Clock.monotonic + interval) }
            self.onEvent(nil)
        }
    }

    func stop() {
        for descriptor in watched { loop.forget(descriptor) }
        watched = []
        (files, timer) = (nil, nil)
        announced = []
    }

    /// Rings after `first`, and then at every `interval` if there is one; nil silences it.
    func setTimer(first: Duration?, interval: Duration?) {
        self.interval = interval
        timer?.arm(first.map { Clock.monotonic + $0 })
    }

    /// Reports the first read of each terminal, once: typing is news only after a silence.
    func watchOnce(terminals: [String]) {
        for terminal in terminals.prefix(256) { listen(to: terminal, .read, once: true, for: .presence) }
    }

    private func listenToKernel() {
        if let powerSupplies {
            watch(powerSupplies.descriptor, .readable, announcing: [.power, .battery]) { events, _ in
                if powerSupplies.drain() { events.onEvent([.power, .battery]) }
            }
        }
        if let powerProfile {
            watch(powerProfile.descriptor, .priority, announcing: []) { events, _ in
                powerProfile.drain()
                events.onEvent([.power])
            }
        }
        if let routes {
            watch(routes.descriptor, .readable, announcing: [.network]) { events, _ in
                if routes.drain() { events.onEvent([.network]) }
            }
        }
        if let pressure {
            watch(pressure.descriptor, .priority, announcing: [.memory]) { events, interest in
                // A trigger whose group is gone reports an error for ever.
                if interest.contains(.hangup) { events.forget(pressure.descriptor) }
                events.onEvent([.memory])
            }
        }
    }

    private func listenToBus() {
        guard let bus, let descriptor = bus.descriptor else { return }
        watch(descriptor, .readable, announcing: bus.listen()) { events, _ in
            if let sensors = bus.process() {
                if !sensors.isEmpty { events.onEvent(sensors) }
            } else {
                events.forget(descriptor)
                events.onEvent([.presence, .network])
            }
        }
    }

    private func listenToFiles() {
        files = try? FileEvents(on: loop) { [weak self] in self?.filesChanged() }
        for folder in ["systemd/sessions", "systemd/seats"] {
            watch(folder: "\(roots.run)/\(folder)", for: .presence)
        }
        watch(folder: roots.dev + "/pts", for: .presence)
        watch(folder: roots.run + "/NetworkManager/devices", for: .network)
        watchTrees()
    }

    private func filesChanged() {
        let sensors = changed
        changed = []
        // A supply that was added has a folder of its own.
        if sensors.contains(.power) { watchTrees() }
        if !sensors.isEmpty { onEvent(sensors) }
    }

    /// Returns whether a change in `folder` will be noticed.
    @discardableResult
    private func watch(folder: String, for sensor: Conditions.Sensor) -> Bool {
        listen(to: folder, [.written, .names], for: sensor)
    }

    @discardableResult
    private func listen(
        to path: String, _ kinds: FileEvents.Kind, once: Bool = false, for sensor: Conditions.Sensor
    ) -> Bool {
        let token = try? files?.watch(path, for: kinds, isFolder: !once, once: once) { [weak self] kinds, _ in
            if kinds != .gone { self?.changed.insert(sensor) }
        }
        guard let token else { return false }
        files?.forget(folders.updateValue(token, forKey: path))
        return true
    }

    /// A tree that stands for another host is made of plain files, which announce their changes.
    private func watchTrees() {
        if !roots.isSysfsReal {
            let folder = roots.sysfs + "/class/power_supply"
            watch(folder: roots.sysfs + "/firmware/acpi", for: .power)
            var isHeard = watch(folder: folder, for: .power)
            for name in (try? HostFile.names(in: folder)) ?? [] {
                isHeard = watch(folder: "\(folder)/\(name)", for: .power) && isHeard
            }
            if isHeard { announced.formUnion([.power, .battery]) }
        }
        if !roots.isProcfsReal {
            if watch(folder: roots.procfs + "/net", for: .network) { announced.insert(.network) }
            if watch(folder: roots.procfs, for: .load) { announced.insert(.load) }
            if watch(folder: roots.procfs + "/pressure", for: .memory) { announced.insert(.memory) }
        }
    }

    private func watch(
        _ descriptor: Int32, _ interest: EventLoop.Interest, announcing sensors: Set<Conditions.Sensor>,
        handler: @escaping (ConditionEvents, EventLoop.Interest) -> Void
    ) {
        guard
            (try? loop.watch(
                descriptor, interest,
                handler: { [weak self] interest in
                    if let self { handler(self, interest) }
                })) != nil
        else { return }
        watched.append(descriptor)
        announced.formUnion(sensors)
    }

    private func forget(_ descriptor: Int32) {
        loop.forget(descriptor)
        watched.removeAll { $0 == descriptor }
    }
}
