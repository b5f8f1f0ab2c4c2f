import LullConditions
import LullModel
import LullScheduler
import LullSystem

/// Watches for the trigger events of `on` that the scheduler can't see: files, devices, logins.
///
/// The scheduler itself sees the network, external power, sleep, boots and the ends of runs.
final class EventWatch {
    private let loop: EventLoop
    private let roots: ConditionRoots
    private let state: StateFolder
    private let events: FileEvents?
    private let happened: (Trigger, TriggerEvent, @escaping () -> Void) -> Void
    private let watching: ([Trigger: TriggerWatch]) -> Void
    private var files: [WatchedPath: FileArrivals] = [:]
    private var devices: DeviceArrivals?
    private var logins: Logins?
    private var since: [Trigger: WallTime] = [:]
    private var refused: [WatchedPath: String] = [:]
    private var kept: WatchedFiles
    private var timer: LoopTimer?
    private var isUnsaved = false
    private var isFollowing = false

    /// `happened` calls its last argument once the event is durable.
    init(
        loop: EventLoop, roots: ConditionRoots, state: StateFolder,
        happened: @escaping (Trigger, TriggerEvent, @escaping () -> Void) -> Void,
        watching: @escaping ([Trigger: TriggerWatch]) -> Void
    ) {
        self.loop = loop
        self.roots = roots
        self.state = state
        self.happened = happened
        self.watching = watching
        events = try? FileEvents(on: loop)
        kept = WatchedFiles(in: state)
        timer = try? LoopTimer(on: loop) { [unowned self] in save() }
    }

    /// Watches these from now on, and no others.
    func follow(_ triggers: Set<Trigger>) {
        isFollowing = true
        let now = Clock.wall
        since = since.filter { triggers.contains($0.key) }
        for trigger in triggers where since[trigger] == nil { since[trigger] = now }
        followFiles(triggers)
        if triggers.contains(where: { $0.kind == .device }) {
            devices =
                devices ?? DeviceArrivals(loop: loop) { [unowned self] in came(devices: $0) }
        } else {
            devices = nil
        }
        if triggers.contains(where: { $0.kind == .login }) {
            logins =
                logins
                ?? events.flatMap { Logins(roots: roots, events: $0) { [unowned self] in came(user: $0) } }
        } else {
            logins = nil
        }
        isFollowing = false
        report()
    }

    private func followFiles(_ triggers: Set<Trigger>) {
        let paths = triggers.compactMap { trigger in
            if case .path(let path) = trigger { path } else { nil }
        }
        let wanted = Set(paths)
        for path in files.keys where !wanted.contains(path) { files[path] = nil }
        refused = [:]
        kept.forget(allBut: wanted)
        for path in paths.sorted(by: { $0.text < $1.text }) where files[path] == nil {
            guard let events else {
                refused[path] = "files can't be watched: raise fs.inotify.max_user_instances"
                continue
            }
            let before = kept[path]
            files[path] = try? FileArrivals(
                path, kept: before, events: events, loop: loop,
                troubleChanged: { [unowned self] in report() },
                arrived: { [unowned self] in came($0, to: path) })
            if before == nil {
                kept[path] = files[path]?.baseline ?? [:]
                saveSoon()
            }
        }
    }

    /// Looks once at all files, for a pass: nothing watches between passes.
    func look(at triggers: Set<Trigger>) {
        var paths: Set<WatchedPath> = []
        for trigger in triggers {
            guard case .path(let path) = trigger else { continue }
            paths.insert(path)
            if let before = kept[path] {
                let (arrival, _) = FileArrivals.look(at: path, kept: before, now: Clock.wall)
                if !arrival.paths.isEmpty { came(arrival, to: path) }
            } else {
                kept[path] = FileArrivals.look(path).files
                isUnsaved = true
            }
        }
        kept.forget(allBut: paths)
        save()
    }

    private func came(_ arrival: FileArrivals.Arrival, to path: WatchedPath) {
        var triggerEvent = TriggerEvent(.path, at: Clock.wall, count: arrival.paths.count)
        triggerEvent.add(arrival.paths)
        triggerEvent.isIncomplete = arrival.isIncomplete
        triggerEvent.wasMissed = arrival.wasMissed
        happened(.path(path), triggerEvent) { [unowned self] in
            kept.take(arrival.names, at: path)
            saveSoon()
        }
    }

    private func came(devices: [DeviceArrivals.Device]) {
        for case (.device(let pattern), let trigger) in since.keys.map({ ($0, $0) }) {
            for device in devices where pattern.fits(device) {
                var triggerEvent = TriggerEvent(.device, at: Clock.wall)
                triggerEvent.device = device.name
                happened(trigger, triggerEvent) {}
            }
        }
    }

    private func came(user: String) {
        for case (.login(let wanted), let trigger) in since.keys.map({ ($0, $0) })
        where wanted == nil || wanted == user {
            var triggerEvent = TriggerEvent(.login, at: Clock.wall)
            triggerEvent.user = user.isEmpty ? nil : user
            happened(trigger, triggerEvent) {}
        }
    }

    private func report() {
        guard !isFollowing else { return }
        var watches: [Trigger: TriggerWatch] = [:]
        for (trigger, since) in since {
            watches[trigger] = TriggerWatch(since: since, trouble: trouble(of: trigger))
        }
        watching(watches)
    }

    private func trouble(of trigger: Trigger) -> String? {
        switch trigger {
        case .path(let path): refused[path] ?? files[path]?.trouble
        case .device where devices == nil: "the kernel's device events do not arrive here"
        case .login where logins == nil: "there is no systemd-logind here to report logins"
        case .after, .afterAll, .device, .login, .resume, .network, .externalPower, .boot: nil
        }
    }

    /// Saves a short list at once, a long one once nothing has come for a while.
    private func saveSoon() {
        isUnsaved = true
        if kept.count <= 20_000 || timer == nil { save() } else { timer?.arm(Clock.monotonic + .seconds(5)) }
    }

    func save() {
        guard isUnsaved else { return }
        isUnsaved = false
        kept.save(in: state)
    }
}

extension Host {
    /// Watches for the trigger events of `on` in the manifest in force.
    func watchEvents() {
        guard configuration.goal == .service || configuration.goal == .pass else { return }
        let triggers = scheduler.watchedTriggers
        guard !triggers.isEmpty || eventWatch != nil else { return }
        let watch =
            eventWatch
            ?? EventWatch(
                loop: loop, roots: configuration.roots, state: configuration.state,
                happened: { [unowned self] trigger, triggerEvent, then in
                    handle(.happened(trigger, triggerEvent, reply: replies.expect { _ in then() }))
                }, watching: { [unowned self] in handle(.watching($0)) })
        eventWatch = watch
        if configuration.goal == .service { watch.follow(triggers) } else { watch.look(at: triggers) }
    }
}
