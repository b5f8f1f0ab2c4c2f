import Foundation
import LullConditions
import LullModel
import LullScheduler
import LullSystem

/// The file `seen` of the state folder: the last sign of life of machine and host, for the next host.
///
/// `BOOT TIME ASLEEP-MS HOST-TIME MANNER`, on one line. A file that is not there, or says something else, counts as none: then
/// nobody knows what was missed, and nothing is recorded. A host writes it when it is awake anyway, at most once a minute,
/// and never wakes up for it: what it would have done meanwhile would have woken it.
struct SightFile {
    private let folder: StateFolder
    private let boot: String
    /// How the host that writes it is run.
    private var manner = LastSeen.Manner.stopped
    private var isBegun = false
    private var saved: MonotonicTime?

    private static let least: Duration = .minutes(1)

    init(in folder: StateFolder, roots: ConditionRoots) {
        self.folder = folder
        let name = try? String(contentsOfFile: roots.procfs + "/sys/kernel/random/boot_id", encoding: .utf8)
        // Without boot IDs all boots look the same: sleep is known, and times when the machine was off are not.
        boot = name?.trimmingCharacters(in: .whitespacesAndNewlines).nonEmpty ?? "unnamed"
    }

    /// The absences since the last host, judged against what the ledger holds already.
    ///
    /// `passInterval`: nil: learned from the passes of this state.
    func missed(by ledger: Ledger, passInterval: Duration? = nil, at now: Now) -> [Absence] {
        LastSeen.absences(
            since: read(), in: ledger, boot: boot,
            passInterval: passInterval ?? PassTimes(in: folder).interval, at: now)
    }

    func read() -> LastSeen? {
        guard let bytes = folder.contents?.read(Self.name, atMost: 4 << 10) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 5, let time = WallTime(rfc3339: String(words[1])),
            let asleep = Int64(words[2]), asleep >= 0, let host = WallTime(rfc3339: String(words[3])),
            let manner = LastSeen.Manner(rawValue: String(words[4]))
        else { return nil }
        return LastSeen(
            boot: String(words[0]), time: time, asleep: .milliseconds(asleep), host: host, manner: manner)
    }

    /// Call it once the absences are durable: from here on the file says that this host lives.
    mutating func begin(_ goal: HostConfiguration.Goal, at now: Now) {
        manner =
            switch goal {
            case .service: .running
            case .pass: .pass
            // It launches nothing by itself.
            case .launch, .discovery: read()?.manner == .pass ? .pass : .stopped
            }
        isBegun = true
        save(now)
    }

    /// The host was alive then, and all up to then is durable.
    mutating func note(_ now: Now, isUrgent: Bool = false) {
        guard isBegun, isUrgent || saved.map({ now.monotonic - $0 >= Self.least }) ?? true else { return }
        save(now)
    }

    /// Records an orderly end.
    mutating func end(at now: Now) {
        guard isBegun else { return }
        if manner == .running { manner = .stopped }
        save(now)
    }

    private mutating func save(_ now: Now) {
        saved = now.monotonic
        write(
            LastSeen(
                boot: boot, time: now.wall, asleep: now.asleep, host: now.wall, manner: manner))
    }

    /// Something was recorded without a host: what is later in the log than `now` is a host's again.
    ///
    /// - Parameters:
    ///   - ledger: before that.
    ///   - missed: what was recorded with it.
    func saveWithoutHost(_ ledger: Ledger, missed: [Absence], at now: Now) {
        // A state that never had a host has missed nothing.
        guard let seen = read() else { return }
        let isTold = missed.contains { !$0.cause.isOfMachine }
        write(
            LastSeen(
                boot: boot, time: now.wall, asleep: now.asleep,
                host: isTold ? now.wall : seen.sign(in: ledger, at: now.wall), manner: seen.manner))
    }

    /// Kept on a best-effort basis: what can't be written makes an absence longer than it was.
    private func write(_ seen: LastSeen) {
        let text =
            "\(seen.boot) \(seen.time.rfc3339) \(seen.asleep.milliseconds) \(seen.host.rfc3339) \(seen.manner.rawValue)\n"
        try? folder.contents?.write(Array(text.utf8), to: Self.name, isDurable: false)
    }

    private static let name = "seen"
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
