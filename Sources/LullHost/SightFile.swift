import Foundation
import LullConditions
import LullModel
import LullScheduler
import LullSystem

/// The file `seen` of the state folder: when this machine was last known to be awake, for the next host.
///
/// `BOOT TIME ASLEEP-MS`, on one line. A file that is not there, or says something else, counts as none: then nobody
/// knows what was missed, and nothing is recorded.
struct SightFile {
    private let folder: StateFolder
    private let boot: String

    init(in folder: StateFolder, roots: ConditionRoots) {
        self.folder = folder
        let name = try? String(contentsOfFile: roots.procfs + "/sys/kernel/random/boot_id", encoding: .utf8)
        // A kernel that does not name its boots has one for ever: its sleep is known, and its being off is not.
        boot = name?.trimmingCharacters(in: .whitespacesAndNewlines).nonEmpty ?? "unnamed"
    }

    /// What the host missed since the last one; judged against what the ledger holds already.
    func missed(by ledger: Ledger, at now: Now) -> [Absence] {
        LastSeen.absences(since: read(), in: ledger, boot: boot, at: now)
    }

    func read() -> LastSeen? {
        guard let bytes = folder.contents?.read(Self.name, atMost: 4 << 10) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let time = WallTime(rfc3339: String(words[1])),
            let asleep = Int64(words[2]), asleep >= 0
        else { return nil }
        return LastSeen(boot: String(words[0]), time: time, asleep: .milliseconds(asleep))
    }

    /// Kept on a best-effort basis: what can't be written costs a part of the credit.
    func save(_ now: Now) {
        let text = "\(boot) \(now.wall.rfc3339) \(now.asleep.milliseconds)\n"
        try? folder.contents?.write(Array(text.utf8), to: Self.name, isDurable: false)
    }

    private static let name = "seen"
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
