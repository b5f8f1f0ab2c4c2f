import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullUsage

/// A folder with logs, and the uses that a follower finds in them, driven by the loop's own events.
final class FollowedFolder {
    static let app = AppIdentifier("com.example.Feed")
    let path: String
    let loop: EventLoop
    var follower: UsageFollower?
    /// The uses that a history would have.
    private(set) var uses: [WallTime] = []
    private(set) var faults: [UsageFault] = []
    var roots = UsageRoots(logins: "/nonexistent/wtmp", journalctl: "/nonexistent/journalctl")
    var isAtWork = false
    var piece = Limits.usagePieceBytes
    var onUse: () -> Void = {}
    var onCaughtUp: () -> Void = {}
    var clock = UsageTimeTests.reference
    private var goal: (() -> Bool)?

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("lull-usage-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: path + "/state", withIntermediateDirectories: true)
        loop = try EventLoop()
        loop.onAlarm = { [unowned self] in
            Issue.record("nothing came; so far \(uses) and \(faults)")
            loop.stop()
        }
    }

    deinit {
        follower = nil
        try? FileManager.default.removeItem(atPath: path)
    }

    static let format = UsageSource.TimeFormat.strptime("%s")

    func log(_ name: String = "log", match: String? = nil) -> UsageSource {
        .log(path: path + "/" + name, match: match, time: Self.format)
    }

    /// A new follower with the state of the previous one, as after a restart.
    func follow(_ sources: [UsageSource], once: Bool = false) throws {
        follower?.save()
        follower = nil
        try followAfterCrash(sources, once: once)
    }

    /// The same, but the previous one could not save its positions.
    func followAfterCrash(_ sources: [UsageSource], once: Bool = false) throws {
        follower = nil
        var surroundings = UsageFollower.Surroundings(
            clock: { [unowned self] in clock }, zone: { .utc }, roots: roots,
            isAtWork: { [unowned self] _ in isAtWork }, pause: .zero)
        surroundings.piece = piece
        let follower = try UsageFollower(folder: path + "/state", loop: once ? nil : loop, surroundings)
        follower.onUses = { [unowned self] new in
            uses += new.map(\.time)
            onUse()
            if goal?() == true { loop.stop() }
        }
        follower.onFault = { [unowned self] fault in
            faults.append(fault)
            if goal?() == true { loop.stop() }
        }
        self.follower = follower
        follow(again: sources)
        // The host saves at its start; a crash may lose later positions.
        follower.save()
    }

    /// Follows these sources, as after a reload of the manifest.
    func follow(again sources: [UsageSource]) {
        guard let identifier = Self.app else { return }
        var app = App(identifier: identifier, plugin: "Feed")
        app.usage = .sources(sources)
        follower?.follow([app]) { [uses] since in
            [identifier: uses.filter { $0 >= since }]
        } caughtUp: { [unowned self] in
            onCaughtUp()
            if goal?() == true { loop.stop() }
        }
    }

    /// Lets the loop handle events until `goal` holds.
    func wait(until goal: @escaping () -> Bool) {
        guard !goal() else { return }
        self.goal = goal
        loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
        loop.run()
        loop.arm(wall: nil, monotonic: nil)
        self.goal = nil
    }

    func wait(forUses count: Int) { wait { [unowned self] in uses.count >= count } }

    /// The uses as hours before now, in the order in which they were found.
    var hours: [Int] { uses.map { Int((clock - $0).milliseconds / 3_600_000) } }

    /// A line that is a use this many hours before now.
    static func line(_ hoursAgo: Int, _ words: String = "GET /feed") -> String {
        "\(UsageTimeTests.reference.seconds - Int64(hoursAgo) * 3600) \(words)\n"
    }

    func write(_ text: String, to name: String = "log") { write(Array(text.utf8), to: name) }

    /// Appends as the writer of a log does.
    func write(_ bytes: [UInt8], to name: String = "log") {
        let descriptor = open(path + "/" + name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        #expect(descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
    }

    func move(_ name: String, to other: String) {
        #expect(rename(path + "/" + name, path + "/" + other) == 0)
    }
    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(atPath: path + "/" + name, toPath: path + "/" + other)
    }
    func empty(_ name: String) { #expect(truncate(path + "/" + name, 0) == 0) }
    func remove(_ name: String) { #expect(unlink(path + "/" + name) == 0) }
}
