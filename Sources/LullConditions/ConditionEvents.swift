import LullLoop
import LullModel

/// Everything that wakes the loop for a condition: the kernel's sockets and triggers, the bus, watched files,
/// the timer.
///
/// Each is there where it is permitted and left out where not; `announced` says for which sensors there is
/// one.
final class ConditionEvents {
    private let loop: EventLoop
    /// What changed; nil: it is time to sample.
    private let onEvent: (Set<Conditions.Sensor>?) -> Void
    private let powerSupplies: KernelSocket?
    private let powerProfile: PowerProfileWatch?
    private let routes: KernelSocket?
    private let pressure: PressureTrigger?
    private let files: FileWatch?
    private let timer = SampleTimer()
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
        files = FileWatch()
        listenToKernel()
        listenToBus()
        listenToFiles()
        if let timer {
            watch(timer.descriptor, .readable, announcing: []) { events, _ in
                events.timer?.drain()
                events.onEvent(nil)
            }
        }
    }

    func stop() {
        for descriptor in watched { loop.forget(descriptor) }
        watched = []
        announced = []
    }

    func setTimer(first: Duration?, interval: Duration?) { timer?.set(first: first, interval: interval) }

    func watchOnce(terminals: [String]) {
        for terminal in terminals.prefix(256) { files?.watchOnce(terminal: terminal) }
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
        guard let files else { return }
        for folder in ["systemd/sessions", "systemd/seats"] {
            files.watch(folder: "\(roots.run)/\(folder)", for: .presence)
        }
        files.watch(folder: roots.dev + "/pts", for: .presence)
        files.watch(folder: roots.run + "/NetworkManager/devices", for: .network)
        watchTrees()
        watch(files.descriptor, .readable, announcing: []) { events, _ in
            let sensors = files.drain()
            // A supply that was added has a folder of its own.
            if sensors.contains(.power) { events.watchTrees() }
            if !sensors.isEmpty { events.onEvent(sensors) }
        }
    }

    /// A tree that stands for another host is made of plain files, which announce their changes.
    private func watchTrees() {
        guard let files else { return }
        if !roots.isSysfsReal {
            let folder = roots.sysfs + "/class/power_supply"
            _ = files.watch(folder: roots.sysfs + "/firmware/acpi", for: .power)
            var isHeard = files.watch(folder: folder, for: .power)
            for name in (try? HostFile.names(in: folder)) ?? [] {
                isHeard = files.watch(folder: "\(folder)/\(name)", for: .power) && isHeard
            }
            if isHeard { announced.formUnion([.power, .battery]) }
        }
        if !roots.isProcfsReal {
            if files.watch(folder: roots.procfs + "/net", for: .network) { announced.insert(.network) }
            if files.watch(folder: roots.procfs, for: .load) { announced.insert(.load) }
            if files.watch(folder: roots.procfs + "/pressure", for: .memory) { announced.insert(.memory) }
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
