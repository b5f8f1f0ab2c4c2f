import LullModel
import LullSystem
import LullWorkers

/// Whether a machine has what a manifest asks for, with a remedy for each lack. Pure: it judges facts, and reads nothing.
///
/// Only something that the manifest uses can be an error. Anything else is a note if it may be wanted later, or is left
/// out.
struct MachineFindings {
    private let facts: MachineFacts
    private let needs: MachineNeeds
    private(set) var all: [MachineFinding] = []

    init(_ facts: MachineFacts, for needs: MachineNeeds) {
        self.facts = facts
        self.needs = needs
        judgeUser()
        judgeConfinement()
        judgeGroups()
        judgePresence()
        judgePressure()
        judgeFiles()
        judgeClock()
        judgeZone()
        judgeState()
        judgeDescriptors()
        judgePrograms()
    }

    private mutating func add(
        _ subject: String, _ severity: MachineFinding.Severity, _ message: String, _ fix: String? = nil
    ) {
        all.append(MachineFinding(subject: subject, severity: severity, message: message, fix: fix))
    }

    private mutating func judgeUser() {
        guard facts.enforcement.isRoot else {
            return add("user", .ok, "If \(facts.user) runs the host, its apps run as \(facts.user).")
        }
        let parts = [
            needs.ownAccounts > 0 ? "\(needs.ownAccounts) under an account of its own" : nil,
            needs.named > 0 ? "\(needs.named) as the user in the manifest" : nil,
            needs.asHost > 0 ? "\(needs.asHost) as root" : nil,
        ].compactMap { $0 }
        add(
            "user", .ok,
            parts.isEmpty
                ? "The manifest has no app to run."
                : "If root runs the host, its apps run like this: \(Phrase.list(parts)).")
    }

    private mutating func judgeConfinement() {
        let enforcement = facts.enforcement
        guard let unkept = enforcement.unkept else {
            return add(
                "confinement", .ok, "All limits are enforced: Landlock \(enforcement.landlock), seccomp.")
        }
        add("confinement", .note, unkept, enforcement.fix.map { $0.sentenceCased + "." })
    }

    /// Without them Lull keeps limits too, but later.
    private mutating func judgeGroups() {
        let later = "Lull measures what apps use itself, every 2 s."
        guard let groups = facts.groups else {
            return add(
                "control groups", .note, "No control groups of version 2 are mounted: \(later)",
                "Boot with `systemd.unified_cgroup_hierarchy=1`, or mount them: `mount -t cgroup2 none /sys/fs/cgroup`."
            )
        }
        let missing = GroupSight.needed.subtracting(groups.controllers).sorted()
        if groups.isDelegated, missing.isEmpty {
            return add(
                "control groups", .ok, "The kernel enforces each app's limits.")
        }
        if groups.isDelegated {
            return add(
                "control groups", .note,
                "The group delegated to the host does not limit \(Phrase.list(missing)): \(later)",
                "Write `Delegate=cpu memory pids` in the unit; with the hybrid hierarchy boot with `systemd.unified_cgroup_hierarchy=1`."
            )
        }
        let whom = facts.isHostRunning ? "the running host" : "a host started from here"
        add(
            "control groups", .note, "No control group is delegated to \(whom): \(later)",
            facts.hasSystemd
                ? "Let systemd start the host: `systemctl start lull`, `systemctl --user start lull`, or `systemd-run --user --scope -p Delegate=yes lull run`."
                : "Only systemd delegates them, and it does not run here.")
    }

    private mutating func judgePresence() {
        let waiting = needs.idleTasks + needs.quietTasks
        guard waiting > 0 else { return }
        let source =
            switch facts.presenceSource {
            case .logind?: "logind"
            case .sessions?: "the terminals of logind's sessions"
            case .terminals?, nil: "the terminals"
            }
        guard case .unknown(let why) = facts.presence else {
            return add("presence", .ok, "Lull sees from \(source) whether somebody is here.")
        }
        add(
            "presence", .note,
            "Lull can't see whether somebody is here (\(why)). Tasks that wait for an idle host go by the load alone: \(waiting).",
            facts.hasSystemd
                ? "Install libsystemd0 and dbus, so that Lull can ask logind."
                : "On a machine that nobody sits at, do nothing; otherwise install systemd with logind."
        )
    }

    private mutating func judgePressure() {
        guard needs.idleTasks + needs.quietTasks > 0 || !facts.hasPressure else { return }
        guard !facts.hasPressure else { return add("pressure", .ok, "The kernel reports it (PSI).") }
        add(
            "pressure", .note,
            "The kernel does not report it (PSI): Lull judges by load alone whether the host is idle, and low memory delays nothing.",
            "Boot with `psi=1`, on a kernel with CONFIG_PSI.")
    }

    private mutating func judgeFiles() {
        let wanted = [
            (FileShortage.instances, facts.instances, MachineNeeds.instances),
            (.watches, facts.watches, needs.watches),
        ]
        var isShort = false
        for (shortage, amount, needed) in wanted {
            guard let amount, amount.left < needed else { continue }
            isShort = true
            let what = shortage == .instances ? "instance" : "watch"
            let plural = shortage == .instances ? "instances" : "watches"
            add(
                "inotify \(plural)", needs.learnsFromAccesses ? .error : .note,
                "This user may have \(Phrase.count(amount.most, what, plural)) of inotify, of which \(amount.used) are in use, and a host needs about "
                    + "\(needed): Lull looks at files now and then instead"
                    + (needs.learnsFromAccesses ? ", and accesses (`usage: access`) are not seen." : "."),
                "Run `sysctl \(shortage.setting)=\(max(needed + amount.used, amount.most) * 2)`, and write that into /etc/sysctl.d too."
            )
        }
        guard !isShort, !needs.watched.isEmpty else { return }
        add(
            "inotify", .ok,
            "There is room to watch \(Phrase.count(needs.watched.count, "path")) of the manifest's.")
    }

    /// A machine's clock before this time is wrong: the beginning of 2025.
    private static let earliest = WallTime(seconds: 1_735_689_600)

    private mutating func judgeClock() {
        let isUsed = needs.timedTasks > 0 || needs.fleet
        let users =
            needs.timedTasks > 0
            ? " Tasks that depend on it: \(needs.timedTasks)."
            : needs.fleet ? " The fleet depends on it." : ""
        if facts.now < Self.earliest {
            return add(
                "clock", isUsed ? .error : .note,
                "It says \(facts.now.rfc3339), so nobody has set it.\(users)",
                "Set it, and keep it right: `timedatectl set-ntp true`, or `date -s`.")
        }
        guard isUsed else { return }
        guard !facts.isClockSynchronised else { return add("clock", .ok, "It is set and in sync.") }
        add(
            "clock", .note, "It is set, but nothing keeps it in sync.\(users)",
            "Run `timedatectl set-ntp true`, or chrony; for a container, on its machine.")
    }

    private mutating func judgeZone() {
        guard needs.localTasks > 0 else { return }
        guard !facts.hasZone else { return add("time zone", .ok, "It is known.") }
        add(
            "time zone", .note,
            "The machine does not say which one it is in, so Lull takes UTC. Tasks that depend on it: \(needs.localTasks).",
            "Run `timedatectl set-timezone Europe/Berlin`, or write `timezone` in the manifest.")
    }

    private mutating func judgeState() {
        if let trouble = facts.stateTrouble { return add("state", .error, trouble.message, trouble.fix) }
        guard let room = facts.room else {
            return add(
                "state", .note, "Lull can't read how much is free at \(facts.state).",
                "`df \(facts.state)` may say why.")
        }
        let free = "\(Phrase.size(room.bytes)) is free at \(facts.state)"
        if room.bytes < Limits.diskRoom.bytes || room.files < Limits.diskRoom.files {
            return add(
                "state", .error,
                room.bytes < Limits.diskRoom.bytes
                    ? "\(free)." : "There is room for \(room.files) more files at \(facts.state).",
                "Make room, or take another folder with `--state`: with less than \(Phrase.size(Limits.diskRoom.bytes)) and "
                    + "\(Limits.diskRoom.files) files Lull stops the app that fills the disk.")
        }
        guard room.bytes >= needs.diskFree else {
            return add(
                "state", .note, "\(free), and a task requires \(Phrase.size(needs.diskFree)).",
                "Make room, or lower `disk_free`.")
        }
        add("state", .ok, "\(free).")
    }

    private mutating func judgeDescriptors() {
        guard let most = facts.descriptors else { return add("open files", .ok, "Any number.") }
        if let refusal = Descriptors.refusal(of: most) {
            return add("open files", .error, refusal, Descriptors.fix)
        }
        guard most < needs.descriptors else {
            return add("open files", .ok, "\(most) for a process.")
        }
        add(
            "open files", .note,
            "\(most) for a process, and a host needs about \(needs.descriptors) while the workers of all \(needs.apps) apps run.",
            Descriptors.fix)
    }

    private mutating func judgePrograms() {
        func used(by apps: [AppIdentifier], _ key: String) -> String {
            " `\(key)` of \(Phrase.list(apps.map(\.text))) does not work."
        }
        if needs.fleet {
            judge(
                "libpq", facts.fleetTrouble, " `fleet` does not work.",
                "It is here, for the fleet's database.")
        }
        if !needs.brokers.isEmpty {
            judge(
                "libmosquitto", facts.brokerTrouble, used(by: needs.brokers, "mqtt"),
                "It is here, for MQTT brokers.")
        }
        if !needs.transfers.isEmpty {
            judge(
                "lull-transfer", facts.transferTrouble, used(by: needs.transfers, "transfers"),
                "It works.")
        }
        if !needs.pushes.isEmpty, let trouble = facts.pageTrouble {
            add(
                "lull-page", .note,
                trouble.message
                    + " Nobody can push to \(Phrase.list(needs.pushes.map(\.text))) over HTTP; `lull push` works.",
                trouble.fix)
        }
    }

    private mutating func judge(
        _ subject: String, _ trouble: MachineFacts.Trouble?, _ consequence: String, _ praise: String
    ) {
        if let trouble {
            add(subject, .error, trouble.message + consequence, trouble.fix)
        } else {
            add(subject, .ok, praise)
        }
    }
}
