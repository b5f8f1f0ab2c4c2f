public import LullModel

/// When the machine was last known to be awake, how long it had slept by then, and the last host's last sign of life.
///
/// It outlives the host, so that the next host knows what it missed: the kernel counts the machine's sleep since the
/// boot, with or without a host.
public struct LastSeen: Sendable, Equatable {
    /// How the last host ended, or that it was running.
    public enum Manner: String, Sendable {
        case running, stopped
        /// It was a pass, and another is to come.
        case pass
    }

    /// The kernel's identifier of the boot.
    public var boot: String
    public var time: WallTime
    /// The sleep from the boot to `time`.
    public var asleep: Duration
    /// The last host's last sign of life; what happened after it and up to `time` was done without a host.
    public var host: WallTime
    public var manner: Manner

    public init(boot: String, time: WallTime, asleep: Duration, host: WallTime, manner: Manner) {
        (self.boot, self.time, self.asleep, self.host, self.manner) = (boot, time, asleep, host, manner)
    }

    /// The last host's sign of life by the log as well: a command that writes without a host sets `time`, so later
    /// events are a host's.
    public func sign(in ledger: Ledger, at now: WallTime) -> WallTime {
        guard let latest = ledger.latest, latest > time, latest <= now else { return min(host, now) }
        return max(host, latest)
    }

    /// The absences before a host that starts at `now` that the ledger does not hold yet, in the order of time.
    ///
    /// A machine that went off without notice was awake at its last sign of life; the time after that is not known, and
    /// counts as off. Between the end of a host and the start of the next there was no host, even if the
    /// machine was on.
    ///
    /// - Parameters:
    ///   - passInterval: how often passes come; nil: not known, and none is missed.
    public static func absences(
        since seen: LastSeen?, in ledger: Ledger, boot: String, passInterval: Duration? = nil, at now: Now
    ) -> [Absence] {
        var found: [Absence] = []
        func note(
            _ cause: AbsenceCause, from start: WallTime, until end: WallTime, atMost length: Duration,
            beside known: Absences
        ) {
            let missed = min(length, end - start) - known.length(from: start, until: end)
            if missed >= Absence.least { found.append(Absence(cause, until: end, for: missed)) }
        }
        // A history alone tells nothing: it may have been imported, and be of a time before there was a host.
        guard let seen, seen.time < now.wall else { return [] }
        let sign = seen.sign(in: ledger, at: now.wall)
        if seen.boot == boot {
            note(
                .asleep, from: seen.time, until: now.wall, atMost: now.asleep - seen.asleep,
                beside: ledger.absences)
        } else {
            let last = max(seen.time, sign)
            if last < now.booted {
                note(
                    .off, from: last, until: now.booted, atMost: now.booted - last, beside: ledger.absences)
            }
            note(
                .asleep, from: max(seen.time, now.booted), until: now.wall, atMost: now.asleep,
                beside: ledger.absences)
        }
        if let gap = seen.gap(after: sign, boot, at: now) {
            note(
                gap.cause, from: gap.start, until: now.wall, atMost: now.wall - gap.start, beside: ledger.away
            )
        } else if let passInterval {
            // Passes are not punctual, and none comes while the machine sleeps.
            let slept = found.reduce(Duration.zero) { $0 + $1.length }
            let start = max(sign, seen.boot == boot ? sign : now.booted)
            let missed = now.wall - start - slept - passInterval
            if missed >= passInterval {
                note(
                    .passes, from: start + passInterval, until: now.wall, atMost: missed, beside: ledger.away)
            }
        }
        return found
    }

    /// Since when the machine was on without a service, and why; nil: passes run on it.
    private func gap(
        after sign: WallTime, _ boot: String, at now: Now
    ) -> (cause: AbsenceCause, start: WallTime)? {
        guard manner != .pass else { return nil }
        // Before the boot the machine counts as off.
        guard boot == self.boot else { return (.stopped, max(sign, now.booted)) }
        return (manner == .running ? .lost : .stopped, sign)
    }
}
