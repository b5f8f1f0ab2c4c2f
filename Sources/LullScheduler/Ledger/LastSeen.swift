public import LullModel

/// When the machine was last known to be awake, and how long it had slept by then.
///
/// A host keeps it over its own end, so that the next one knows what it missed: the kernel counts a machine's sleep
/// from its boot on, whether anybody watches or not.
public struct LastSeen: Sendable, Equatable {
    /// The name that the kernel gave to the boot.
    public var boot: String
    public var time: WallTime
    /// From the boot to `time`.
    public var asleep: Duration

    public init(boot: String, time: WallTime, asleep: Duration) {
        self.boot = boot
        self.time = time
        self.asleep = asleep
    }

    /// What a host that starts at `now` has missed and the ledger does not hold yet, in the order of time.
    ///
    /// A machine that went off without a word was awake at its last sign of life; what it was after that nobody
    /// knows, and counts as off. The time between the end of one host and the start of the next is no absence as
    /// long as the machine is on: so passes have none between them.
    public static func absences(
        since seen: LastSeen?, in ledger: Ledger, boot: String, at now: Now
    ) -> [Absence] {
        var found: [Absence] = []
        func note(_ cause: Absence.Cause, from start: WallTime, until end: WallTime, atMost length: Duration)
        {
            let known = ledger.absences.length(from: start, until: end)
            let missed = min(length, end - start) - known
            if missed >= Absence.least { found.append(Absence(cause, until: end, for: missed)) }
        }
        // A history alone tells nothing: it may have been imported, and be of a time before there was a host.
        guard let seen, seen.time < now.wall else { return [] }
        guard seen.boot != boot else {
            note(.asleep, from: seen.time, until: now.wall, atMost: now.asleep - seen.asleep)
            return found
        }
        let sign = [seen.time, ledger.latest].compactMap { $0 }.filter { $0 <= now.wall }.max() ?? seen.time
        if sign < now.booted { note(.off, from: sign, until: now.booted, atMost: now.booted - sign) }
        note(.asleep, from: max(seen.time, now.booted), until: now.wall, atMost: now.asleep)
        return found
    }
}
