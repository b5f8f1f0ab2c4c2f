import LullModel
import Testing

@testable import LullScheduler

/// The disk: the app that has filled it is ended first, and an app that keeps more than its limit is held back.
struct DiskTests {
    private static let mebibyte: Int64 = 1 << 20
    private static let plenty = DiskRoom(bytes: 100 << 20)

    /// Both apps have a run under way that began with room for 100 MiB.
    private static func working(disk: Int64? = nil) -> TestHost {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
                Sample.definition(Sample.otherWork, of: Sample.other, .processing) {
                    $0.requires.idle = false
                },
            ]) { if $0.identifier == Sample.feed { $0.limits.disk = disk } })
        host.handle(.diskLooked(plenty, isFull: false))
        for task in [Sample.cleaning, Sample.otherWork] {
            _ = host.submit(task)
            host.handle(.diskLooked(plenty, isFull: false))
        }
        for run in host.running { host.handle(.launchReturned(run)) }
        return host
    }

    private static func use(_ mebibytes: Int64, changed: Int64? = nil, isWhole: Bool = true) -> FolderUse {
        FolderUse(
            bytes: mebibytes << 20, files: mebibytes, changedBytes: (changed ?? mebibytes) << 20,
            changedFiles: changed ?? mebibytes, isWhole: isWhole)
    }

    private static func look(
        _ host: inout TestHost, left: Int64, _ folders: [AppIdentifier: FolderUse], isFull: Bool = false
    ) {
        host.handle(.diskLooked(DiskRoom(bytes: left << 20), isFull: isFull))
        host.handle(.foldersLooked(folders, isAll: true))
    }

    private static func expired(_ host: TestHost) -> [AppIdentifier] {
        host.records.filter { $0.event == .expired }.map(\.app)
    }

    @Test func `who has filled the disk is warned, then killed, each with the reason`() throws {
        var host = Self.working()
        Self.look(&host, left: 0, [Sample.feed: Self.use(97), Sample.other: Self.use(3)])
        #expect(Self.expired(host) == [Sample.feed])
        let sentence =
            "com.example.Feed has filled the disk that holds Lull's state: 97 MiB since it began, and 0 B are left for all others"
        #expect(host.records.first { $0.event == .violation }?.reason == sentence)
        host.pass(.seconds(10), completing: false)
        let end = try #require(host.records.first { $0.event == .failed })
        #expect(end.app == Sample.feed && end.outcome == .killed)
        #expect(end.reason == "it did not complete within 5 s of its expiration: " + sentence)
        // The other app's run goes on, even though the written files stay.
        Self.look(&host, left: 0, [Sample.feed: Self.use(97), Sample.other: Self.use(3)])
        #expect(Self.expired(host) == [Sample.feed] && host.running.count == 1)
        let remark = try #require(host.state.report(at: host.now).remarks?.first)
        #expect(remark.hasPrefix("The disk that holds Lull's state is full: 0 B free. \(sentence)."))
    }

    @Test func `it is launched again once there is room, twice as much as is short`() {
        var host = Self.working()
        Self.look(&host, left: 0, [Sample.feed: Self.use(100)])
        host.pass(.seconds(10), completing: false)
        host.pass(.hours(1))
        _ = host.submit(Sample.cleaning)
        #expect(host.closed(Sample.cleaning) == [.folder])
        host.handle(.diskLooked(DiskRoom(bytes: 31 << 20), isFull: false))
        #expect(host.state.isDiskShort && host.closed(Sample.cleaning) == [.folder])
        host.handle(.diskLooked(DiskRoom(bytes: 32 << 20), isFull: false))
        #expect(!host.state.isDiskShort && host.launches(of: Sample.cleaning).count == 2)
        #expect(host.state.report(at: host.now).remarks == nil)
    }

    @Test func `a worker that fills the disk without a run is killed`() {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple())
        host.handle(.diskLooked(Self.plenty, isFull: false))
        #expect(host.state.isAtWork(Sample.feed))
        _ = host.take()
        Self.look(&host, left: 0, [Sample.feed: Self.use(100)])
        #expect(
            host.take().contains {
                if case .killWorker(_, let reason) = $0 {
                    reason.contains("has filled the disk")
                } else {
                    false
                }
            })
    }

    @Test func `what was there before, or is gone, has nobody fill the disk`() {
        // Most of its 500 MiB were there before: since its run began it has written 2 MiB.
        var host = Self.working()
        host.handle(.diskLooked(DiskRoom(bytes: 98 << 20), isFull: false))
        Self.look(&host, left: 10, [Sample.feed: Self.use(500, changed: 2), Sample.other: Self.use(1)])
        #expect(Self.expired(host).isEmpty && host.state.isDiskShort)
        // No running app is to blame: the app that keeps the most is named, once.
        Self.look(&host, left: 9, [Sample.feed: Self.use(500, changed: 2), Sample.other: Self.use(1)])
        let named = host.records.filter { $0.event == .violation }
        #expect(
            named.map(\.reason) == [
                "10 MiB are left on the disk that holds Lull's state, and of all apps com.example.Feed keeps the most there: 500 MiB"
            ])
        #expect(host.state.report(at: host.now).remarks?.first?.contains("nearly full: 9 MiB free") == true)
    }

    @Test func `what is in no app's folder is laid to none, and who was at work is named`() {
        var host = Self.working()
        host.handle(.diskLooked(DiskRoom(bytes: 80 << 20), isFull: false))
        Self.look(&host, left: 0, [Sample.feed: Self.use(0), Sample.other: Self.use(3, changed: 0)])
        Self.look(&host, left: 0, [Sample.feed: Self.use(0), Sample.other: Self.use(3, changed: 0)])
        #expect(Self.expired(host).isEmpty && !host.records.contains { $0.event == .violation })
        let said = host.state.diskTrouble ?? ""
        #expect(said.contains("No app's folder holds what has filled it"), "\(said)")
        #expect(said.contains("at work are com.example.Feed, com.example.Other."), "\(said)")
    }

    @Test func `an old file that is touched is no growth, for the disk has lost little`() {
        var host = TestHost(Sample.simple())
        _ = host.submit(Sample.cleaning)
        host.handle(.diskLooked(DiskRoom(bytes: 12 << 20), isFull: false))
        Self.look(&host, left: 11, [Sample.feed: Self.use(900, changed: 900)])
        #expect(Self.expired(host).isEmpty && host.state.isDiskShort)
    }

    @Test func `whom nobody can see through is believed less than whom all is known of`() {
        var host = Self.working()
        Self.look(&host, left: 0, [Sample.feed: Self.use(1, isWhole: false), Sample.other: Self.use(90)])
        #expect(Self.expired(host) == [Sample.other])
        var hidden = Self.working()
        Self.look(&hidden, left: 0, [Sample.feed: Self.use(1, isWhole: false), Sample.other: Self.use(0)])
        #expect(Self.expired(hidden) == [Sample.feed])
    }

    @Test func `files without a byte fill a disk as well`() {
        var host = TestHost(Sample.simple())
        host.handle(.diskLooked(DiskRoom(bytes: 100 << 20, files: 5000), isFull: false))
        _ = host.submit(Sample.cleaning)
        host.handle(.diskLooked(DiskRoom(bytes: 100 << 20, files: 5000), isFull: false))
        host.handle(.diskLooked(DiskRoom(bytes: 100 << 20, files: 10), isFull: false))
        host.handle(
            .foldersLooked(
                [Sample.feed: FolderUse(files: 4990, changedBytes: 0, changedFiles: 4990)], isAll: true))
        #expect(
            host.records.last { $0.event == .expired }?.reason
                == "com.example.Feed has filled the disk that holds Lull's state: 4990 files since it began, and room for 10 more is left for all others"
        )
    }

    @Test func `a record that finds no room makes the disk short, whatever is said to be free`() {
        var host = Self.working()
        Self.look(&host, left: 60, [Sample.feed: Self.use(40)], isFull: true)
        #expect(Self.expired(host) == [Sample.feed] && host.state.isDiskFull)
        host.handle(.diskLooked(DiskRoom(bytes: 60 << 20), isFull: false))
        #expect(!host.state.isDiskFull && !host.state.isDiskShort)
    }

    @Test func `who keeps more than it may is expired, and not launched until it keeps less`() throws {
        var host = Self.working(disk: 10 << 20)
        host.handle(.foldersLooked([Sample.feed: Self.use(10)], isAll: false))
        #expect(Self.expired(host).isEmpty)
        host.handle(.foldersLooked([Sample.feed: Self.use(11)], isAll: false))
        let sentence = "com.example.Feed keeps 11 MiB in its folder, and its `limits: { disk }` is 10 MiB"
        #expect(host.records.last { $0.event == .expired }?.reason == sentence)
        let run = try #require(host.running.first)
        host.handle(.launchReturned(run))
        host.handle(.completed(run, success: false, summary: "no room"))
        #expect(host.records.last { $0.event == .failed }?.reason == "it was ended: \(sentence): no room")
        host.pass(.hours(1))
        _ = host.submit(Sample.cleaning)
        #expect(host.closed(Sample.cleaning) == [.folder])
        #expect(host.records.last { $0.event == .deferred }?.reason == "folder: \(sentence)")
        host.handle(.foldersLooked([Sample.feed: Self.use(9)], isAll: false))
        #expect(host.launches(of: Sample.cleaning).count == 2)
    }

    @Test func `by hand it may tidy up, and may not keep more`() {
        var host = Self.working(disk: 10 << 20)
        host.handle(.foldersLooked([Sample.feed: Self.use(11)], isAll: false))
        host.pass(.seconds(10), completing: false)
        host.pass(.hours(1))
        guard case .launched = host.launch(Sample.cleaning) else {
            Issue.record("it is not launched")
            return
        }
        let before = Self.expired(host).count
        host.handle(.foldersLooked([Sample.feed: Self.use(11)], isAll: false))
        #expect(Self.expired(host).count == before)
        host.handle(.foldersLooked([Sample.feed: Self.use(12)], isAll: false))
        #expect(Self.expired(host).count == before + 1)
    }
}
