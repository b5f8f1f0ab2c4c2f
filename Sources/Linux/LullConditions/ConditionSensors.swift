public import LullModel
public import LullSystem

/// The host's conditions, from Linux itself.
///
/// Total: what can't be read is unknown with a reason, and a reading never fails. Between events it costs
/// nothing; a timer runs only while something is sampled (`sample`). Used on the loop's thread alone; without
/// a loop it reads and announces nothing.
public final class ConditionSensors: ConditionSource {
    private let roots: ConditionRoots
    private let loop: EventLoop?
    private let interval: Duration
    private let clock: () -> WallTime
    private var conditions = Conditions()
    private var lastRead: [Conditions.Sensor: MonotonicTime] = [:]
    /// One more look is needed: a change between the first reading and the first watched event would be missed.
    private var needsLook = false
    private var onChange: ((Conditions) -> Void)?
    private var terminals: [String] = []
    private var sampled: Set<Conditions.Sensor> = []
    private lazy var bus: SystemBus? = roots.areServicesReal ? SystemBus(run: roots.run) : nil
    private var events: ConditionEvents?
    /// A signal for tests: an event or a sample's moment has been dealt with.
    var didLook: (() -> Void)?

    /// The faults of the load and the free disk that could not be read, and count as too busy and as full.
    public private(set) var faults: [ConditionReading] = []

    /// The source of the presence that was read last; nil: none was read.
    public private(set) var presenceSource: PresenceSource?

    /// `sampleEvery` is held between 15 and 60 seconds.
    public convenience init(
        roots: ConditionRoots, loop: EventLoop? = nil, sampleEvery: Duration = .seconds(30),
        clock: @escaping () -> WallTime = { Clock.wall }
    ) {
        let interval = min(max(sampleEvery, .seconds(15)), .seconds(60))
        self.init(roots: roots, loop: loop, interval: interval, clock: clock)
    }

    init(roots: ConditionRoots, loop: EventLoop?, interval: Duration, clock: @escaping () -> WallTime) {
        self.roots = roots
        self.loop = loop
        self.interval = interval
        self.clock = clock
    }

    deinit { events?.stop() }

    public func current() -> Conditions {
        read(Set(Conditions.Sensor.allCases))
        return conditions
    }

    public func start(onChange: @escaping (Conditions) -> Void) {
        self.onChange = onChange
        guard let loop else { return }
        events?.stop()
        needsLook = true
        events = ConditionEvents(roots: roots, loop: loop, bus: bus) { [weak self] sensors in
            self?.look(at: sensors)
        }
        setTimer()
    }

    public func sample(_ sensors: Set<Conditions.Sensor>) {
        guard sensors != sampled else { return }
        sampled = sensors
        setTimer()
    }

    public func stop() {
        events?.stop()
        events = nil
        onChange = nil
        sampled = []
    }

    /// Which sensors have an event of the kernel's or a service's; the others show a change only when looked
    /// at.
    public var announced: Set<Conditions.Sensor> { events?.announced ?? [] }

    /// The first sample comes at once for what has not been looked at within the interval, but never oftener
    /// than that: a scheduler that asks and stops asking can't turn the timer into a tick.
    private func setTimer() {
        let now = Clock.monotonic
        let waits = sampled.map { sensor in interval - (lastRead[sensor].map { now - $0 } ?? interval) }
        events?.setTimer(first: needsLook ? .zero : waits.min(), interval: sampled.isEmpty ? nil : interval)
    }

    /// Looks at sensors that may have changed; nil: at those that are sampled.
    private func look(at sensors: Set<Conditions.Sensor>?) {
        let before = conditions
        if sensors == nil, needsLook {
            needsLook = false
            read([.power, .battery, .network, .presence])
        } else {
            read(sensors ?? sampled)
        }
        watchTerminals()
        if conditions != before { onChange?(conditions) }
        didLook?()
    }

    private func read(_ sensors: Set<Conditions.Sensor>) {
        let now = Clock.monotonic
        for sensor in sensors { lastRead[sensor] = now }
        readFiles(sensors)
        guard let bus, sensors.contains(.network) || sensors.contains(.presence) else { return }
        // An announcement that came in with an answer does not wake the loop any more.
        for _ in 0..<4 {
            guard let changed = bus.process(), !changed.isEmpty else { return }
            readFiles(changed)
        }
    }

    private func readFiles(_ sensors: Set<Conditions.Sensor>) {
        if sensors.contains(.power) || sensors.contains(.battery) {
            let supplies = PowerSupplies(sysfs: roots.sysfs)
            conditions.externalPower = supplies.externalPower
            conditions.battery = supplies.battery
            conditions.isSavingPower = PowerProfile(sysfs: roots.sysfs).isLow
        }
        if sensors.contains(.network) { conditions.network = network() }
        if sensors.contains(.presence) { readPresence() }
        if sensors.contains(.load) || sensors.contains(.memory) {
            let load = Load(procfs: roots.procfs, sysfs: roots.sysfs)
            note(.load, load.fault.map { "load: unknown (\($0)), counted as too busy" })
            conditions.load = load.perCore
            conditions.cpuPressure = load.cpuPressure
            conditions.memoryPressure = load.memoryPressure
        }
        if sensors.contains(.disk) {
            let disk = DiskSpace(folder: roots.stateFolder)
            note(.disk, disk.fault.map { "free disk: unknown (\($0)), counted as none" })
            conditions.diskFree = disk.free
        }
    }

    private func network() -> Sensed<Conditions.Network> {
        switch DefaultRoute(procfs: roots.procfs, sysfs: roots.sysfs).link {
        case .unknown(let why): .unknown(why)
        case .known(nil): .known(.none)
        case .known(let link?):
            .known(
                bus?.isMetered ?? MeteredLink.isMetered(link, roots: roots) ?? false ? .metered : .unmetered)
        }
    }

    private func readPresence() {
        let attendance = Attendance(roots: roots, hint: bus?.idleHint, at: clock())
        conditions.presence = attendance.presence
        presenceSource = attendance.source
        terminals = attendance.terminals
    }

    /// While nobody is there, waits for the first use of a terminal.
    private func watchTerminals() {
        guard case .known(.idle) = conditions.presence else { return }
        events?.watchOnce(terminals: terminals)
    }

    private func note(_ sensor: Conditions.Sensor, _ text: String?) {
        faults.removeAll { $0.sensor == sensor }
        if let text { faults.append(ConditionReading(sensor: sensor, text: text)) }
    }
}
