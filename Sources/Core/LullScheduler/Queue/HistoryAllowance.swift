import LullModel

/// The bytes that an app may add to the history, and those that it has added lately.
///
/// The history holds text of apps: orders of transfers, notifications, and what their requests and runs say and print.
/// An app may add so many bytes at once, and a few each second after that. Records are written in any case; beyond the
/// allowance the app's calls are refused until enough bytes have drained.
struct HistoryAllowance: Sendable {
    private var charged = Level(perSecond: Limits.historyBytesPerSecond)
    private var kept = Level(perSecond: Limits.historyBytesADay / 86_400)

    mutating func charge(_ bytes: Int, at now: MonotonicTime) {
        charged.add(bytes, at: now)
        kept.add(bytes, at: now)
    }

    /// Counts the output of its runs, which has limits of its own, as growth of the history alone.
    mutating func keep(_ bytes: Int, at now: MonotonicTime) { kept.add(bytes, at: now) }

    /// Subtracts bytes that the history no longer holds.
    mutating func release(_ bytes: Int, at now: MonotonicTime) { kept.add(-bytes, at: now) }

    /// How long until the app may put anything there; nil: it may now.
    func wait(at now: MonotonicTime) -> Duration? {
        let excess = charged.bytes(at: now) - Limits.historyBytesAtOnce
        guard excess > 0 else { return nil }
        return .milliseconds(Int64(excess) * 1000 / Int64(Limits.historyBytesPerSecond) + 1)
    }

    /// How much the history has grown for the app, beyond the daily rate that each app may add.
    func growth(at now: MonotonicTime) -> Int64 { Int64(kept.bytes(at: now)) }
}

/// Bytes that drain away at a steady rate.
private struct Level: Sendable {
    let perSecond: Int
    private var bytes = 0
    private var since = MonotonicTime(nanoseconds: 0)

    init(perSecond: Int) { self.perSecond = perSecond }

    func bytes(at now: MonotonicTime) -> Int {
        let passed = max(0, (now - since).milliseconds)
        let (drained, overflow) = passed.multipliedReportingOverflow(by: Int64(perSecond))
        return overflow ? 0 : max(0, bytes - Int(drained / 1000))
    }

    mutating func add(_ more: Int, at now: MonotonicTime) {
        // Beginning to count anew at each event would lose the parts of a second, which drain nothing.
        if now - since >= .seconds(1) || bytes == 0 { (bytes, since) = (bytes(at: now), now) }
        bytes = max(0, bytes + more)
    }
}

extension SchedulerState {
    /// Why an app that has added too much to the history, or has filled the disk, is refused more; nil: it is not.
    func historyRefusal(of app: AppIdentifier) -> Refusal? {
        if let sentence = disk.culprits[app] {
            return Refusal(.unavailable, "\(sentence). Ask again when there is room.")
        }
        guard let wait = apps[app]?.history.wait(at: now.monotonic) else { return nil }
        return Refusal(
            .tooManyPending,
            "\(app) records too much in the history: after a burst of \(Phrase.size(Int64(Limits.historyBytesAtOnce))) it may "
                + "record \(Phrase.size(Int64(Limits.historyBytesPerSecond))) a second. Ask again in \(Phrase.span(wait))."
        )
    }

    /// How much the history has grown for an app lately, in bytes.
    func historyGrowth(of app: AppIdentifier) -> Int64 {
        apps[app]?.history.growth(at: now.monotonic) ?? 0
    }

    mutating func keepOutput(_ bytes: [AppIdentifier: Int]) {
        let time = now.monotonic
        for (app, count) in bytes { apps[app]?.history.keep(count, at: time) }
    }

    mutating func charge(_ event: HistoryEvent) {
        let time = now.monotonic
        apps[event.app]?.history.charge(event.bytes, at: time)
    }
}

extension HistoryEvent {
    /// The approximate bytes of its row and of the row's index entries.
    private static let rowBytes = 128

    /// The approximate bytes that it takes in the history.
    var bytes: Int {
        var bytes = Self.rowBytes + (reason?.utf8.count ?? 0) + (push?.payload?.utf8.count ?? 0)
        if let label {
            bytes += label.title?.written ?? 0
            bytes += (label.subtitle?.written ?? 0) + (label.protection?.written ?? 0)
        }
        if let said = notice?.said {
            bytes += said.title.written + said.subtitle.written + said.body.written
        }
        if case .added(let notification)? = notification {
            bytes += notification.identifier.written + notification.details.written
            let text = notification.text
            bytes += text.title.written + text.subtitle.written + text.body.written
        }
        return bytes + (transfer?.textBytes ?? 0)
    }
}

extension TransferNote {
    /// The bytes of the text in it by the app and by servers.
    fileprivate var textBytes: Int {
        switch self {
        case .asked(_, let order): order.writtenBytes
        case .finished(_, let result): result.bytes
        case .answered(_, .credential(let user, let password)): user.written + password.written
        case .challenged(_, let challenge):
            challenge.host.written + (challenge.realm?.written ?? 0) + challenge.sentence.written
        case .failed(_, let failure): failure.sentence.written
        case .answered, .interrupted, .cancelled, .paused, .resumed, .taking, .taken, .givenUp: 0
        }
    }
}

extension TransferRecord {
    /// The least number of bytes that leave the history once the app has taken the transfer: a page of each row may
    /// stay.
    var spentBytes: Int {
        [state.order.writtenBytes, state.result?.bytes ?? 0].reduce(0) { $0 + max(0, $1 - Self.pageBytes) }
    }

    private static let pageBytes = 4 << 10
}

extension TransferOrder {
    /// Its bytes as written, with the body in base64.
    fileprivate var writtenBytes: Int {
        session.written + url.written + (label?.written ?? 0) + (body?.bytes.count ?? 0) * 4 / 3
            + headers.reduce(0) { $0 + $1.name.written + $1.value.written + 8 }
    }
}

extension String {
    /// Its bytes in JSON, where an escaped character takes six.
    fileprivate var written: Int {
        unicodeScalars.reduce(0) { $0 + ($1.isEscapedInJSON ? 6 : UTF8.width($1)) }
    }
}
