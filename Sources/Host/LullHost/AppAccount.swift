import Foundation
public import LullManifest

/// The account of its own that an app runs as on a root host whose manifest names no user: a number without a name.
///
/// The owner of the app's folder records the number; nothing else is stored. A new number is derived from the folder's
/// path and skips the numbers in use: by users, groups, running processes, and the folders of other apps.
public struct AppAccount {
    /// Left free by systemd's list of numbers (UIDS-GIDS).
    static let numbers: ClosedRange<UInt32> = 0x7000_0000...0x7FFF_FFFF
    /// For containers that do not map `numbers`: the range that systemd gives to services while they run.
    static let fewNumbers: ClosedRange<UInt32> = 61184...65519

    var numbers = Self.numbers
    var isFree: (UInt32) -> Bool = Accounts.isFree
    var isRunning: (UInt32) -> Bool = Self.isRunning

    /// Nil: neither range is mapped here.
    public static var ofThisMachine: AppAccount? {
        let ranges = [numbers, fewNumbers]
        let maps = ["/proc/self/uid_map", "/proc/self/gid_map"].map(mapped)
        return ranges.first { range in maps.allSatisfy { map in map.contains { $0.contains(range) } } }
            .map { AppAccount(numbers: $0) }
    }

    /// The owner of the app's folder if that is such an account and no other app's; else a new one. Nil: no free number
    /// was found.
    public func user(of folder: String) -> Accounts.User? {
        let others = owners(beside: folder)
        if let owner = Self.owner(of: folder), numbers.contains(owner), !others.contains(owner) {
            return Self.user(owner)
        }
        let count = UInt64(numbers.count)
        let first = Self.hash(folder) % count
        for step in 0..<min(count, 1000) {
            let number = numbers.lowerBound + UInt32((first + step) % count)
            if !others.contains(number), isFree(number), !isRunning(number) { return Self.user(number) }
        }
        return nil
    }

    private static func user(_ number: UInt32) -> Accounts.User {
        Accounts.User(name: "lull-\(number)", number: number, group: number)
    }

    private func owners(beside folder: String) -> Set<UInt32> {
        let apps = (folder as NSString).deletingLastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: apps)) ?? []
        return Set(names.map { apps + "/" + $0 }.filter { $0 != folder }.compactMap(Self.owner))
    }

    /// The account that owns the folder; nil: the owner is no such account.
    static func account(with folder: String) -> UInt32? {
        owner(of: folder).flatMap { isAccount($0) ? $0 : nil }
    }

    /// Whether the number is one of those that apps get.
    public static func isAccount(_ number: UInt32) -> Bool {
        numbers.contains(number) || fewNumbers.contains(number)
    }

    private static func owner(of path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }

    static func isRunning(_ number: UInt32) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.contains { $0.first?.isNumber == true && owner(of: "/proc/" + $0) == number }
    }

    /// The numbers that a user namespace maps for this process; a line of the file is `inside outside count`.
    private static func mapped(_ path: String) -> [ClosedRange<UInt32>] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [0...UInt32.max] }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").compactMap { UInt64($0) }
            guard words.count == 3, words[2] > 0 else { return nil }
            return UInt32(clamping: words[0])...UInt32(clamping: words[0] + words[2] - 1)
        }
    }

    /// FNV-1a: the same in every version and on every machine.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
