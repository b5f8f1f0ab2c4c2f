import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullConditions

/// Files that arrive in a real folder: each is reported once, when it is complete, however it arrives.
struct FileArrivalsTests {
    /// A folder, its watch, and the reported files.
    private final class Watched {
        let folder: TemporaryFolder
        let loop: EventLoop
        let events: FileEvents
        var arrivals: FileArrivals?
        var told: [FileArrivals.Arrival] = []
        var paths: [String] { told.flatMap(\.paths).map { String($0.dropFirst(folder.path.count + 1)) } }

        init() throws {
            folder = try TemporaryFolder()
            loop = try EventLoop()
            events = try FileEvents(on: loop)
        }

        func watch(_ path: String, names: String? = nil, kept: FileArrivals.Kept? = nil) throws {
            arrivals = nil
            arrivals = try FileArrivals(
                WatchedPath(
                    path: folder.path + path, names: names, isFolder: names != nil, settle: .milliseconds(30)),
                kept: kept, events: events, loop: loop, troubleChanged: { [unowned self] in loop.stop() }
            ) { [unowned self] in
                told.append($0)
                loop.stop()
            }
        }

        /// Runs the loop until this many files are reported; records an issue if that hangs.
        func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
            wait(sourceLocation: sourceLocation) { paths.count >= count }
        }

        func wait(sourceLocation: SourceLocation = #_sourceLocation, until isSo: () -> Bool) {
            let end = Clock.monotonic + hangLimit
            loop.onAlarm = { [unowned self] in loop.stop() }
            while !isSo(), Clock.monotonic < end {
                loop.arm(wall: nil, monotonic: end)
                loop.run()
            }
            if !isSo() { Issue.record("told of \(paths) alone", sourceLocation: sourceLocation) }
        }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + name))
        }
        func make(_ name: String) throws {
            try FileManager.default.createDirectory(
                atPath: folder.path + name, withIntermediateDirectories: true)
        }
        func move(_ name: String, to other: String) throws {
            try FileManager.default.moveItem(atPath: folder.path + name, toPath: folder.path + other)
        }
    }

    @Test func `a file that is written, moved or renamed there counts once, a hidden one and a folder never`()
        throws
    {
        let watched = try Watched()
        try watched.make("/in")
        try watched.write("old", to: "/in/old")
        try watched.watch("/in")
        try watched.write("a", to: "/in/a")
        watched.wait(for: 1)
        try watched.write("b", to: "/b")
        try watched.move("/b", to: "/in/b")
        watched.wait(for: 2)
        try watched.write("c", to: "/in/.c.tmp")
        try watched.make("/in/folder")
        try watched.move("/in/.c.tmp", to: "/in/c")
        watched.wait(for: 3)
        try watched.write("more", to: "/in/a")
        watched.wait(for: 4)
        #expect(watched.paths == ["in/a", "in/b", "in/c", "in/a"])
    }

    @Test func `a file that is moved there and closed then counts once, and again if it is written first`()
        throws
    {
        let watched = try Watched()
        try watched.make("/in")
        try watched.watch("/in")
        let file = open(watched.folder.path + "/a", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        try watched.move("/a", to: "/in/a")
        watched.wait(for: 1)
        close(file)
        try watched.write("b", to: "/in/b")
        watched.wait(for: 2)
        let again = open(watched.folder.path + "/in/a", O_WRONLY | O_CLOEXEC)
        #expect(Glibc.write(again, "more", 4) == 4)
        close(again)
        watched.wait(for: 3)
        #expect(watched.paths == ["in/a", "in/b", "in/a"])
    }

    @Test func `somebody who still writes is waited for`() throws {
        let watched = try Watched()
        try watched.make("/in")
        try watched.watch("/in", names: "*.csv")
        let file = open(watched.folder.path + "/in/slow.csv", O_CREAT | O_WRONLY, 0o600)
        #expect(Glibc.write(file, "begin", 5) == 5)
        try watched.write("other", to: "/in/other.txt")
        try watched.write("quick", to: "/in/quick.csv")
        watched.wait(for: 1)
        #expect(watched.paths == ["in/quick.csv"])
        close(file)
        watched.wait(for: 2)
        #expect(watched.paths == ["in/quick.csv", "in/slow.csv"])
    }

    @Test func `a folder that is not there yet is waited for, and what comes with it counts`() throws {
        let watched = try Watched()
        try watched.watch("/a/b/in", names: "*")
        #expect(watched.arrivals?.trouble?.contains("is not there yet") == true)
        try watched.make("/a/other/in")
        try watched.write("x", to: "/a/other/in/x")
        try watched.move("/a/other", to: "/a/b")
        watched.wait(for: 1)
        #expect(watched.paths == ["a/b/in/x"])
        #expect(watched.arrivals?.trouble == nil)
        try FileManager.default.removeItem(atPath: watched.folder.path + "/a")
        try watched.make("/a/b/in")
        try watched.write("y", to: "/a/b/in/y")
        watched.wait(for: 2)
        #expect(watched.paths == ["a/b/in/x", "a/b/in/y"])
    }

    @Test func `one file is watched through its folder`() throws {
        let watched = try Watched()
        try watched.watch("/flag")
        try watched.write("other", to: "/other")
        try watched.write("1", to: "/flag")
        watched.wait(for: 1)
        try watched.write("2", to: "/new")
        try watched.move("/flag", to: "/old")
        try watched.move("/new", to: "/flag")
        watched.wait(for: 2)
        #expect(watched.paths == ["flag", "flag"])
    }

    @Test func `what came while nobody watched is found by what was kept`() throws {
        let watched = try Watched()
        try watched.make("/in")
        try watched.write("a", to: "/in/a")
        try watched.write("b", to: "/in/b")
        try watched.watch("/in")
        let kept = try #require(watched.arrivals?.baseline)
        #expect(Set(kept.keys) == ["a", "b"])
        watched.arrivals = nil
        try watched.write("longer", to: "/in/b")
        try watched.write("c", to: "/in/c")
        try watched.watch("/in", kept: kept)
        watched.wait(for: 2)
        #expect(Set(watched.paths) == ["in/b", "in/c"])
        #expect(watched.told.allSatisfy { $0.wasMissed })
        let path = WatchedPath(path: watched.folder.path + "/in", settle: .zero)
        let look = FileArrivals.look(at: path, kept: kept, now: Clock.wall + .seconds(60))
        #expect(look.arrival.names.keys.sorted() == ["b", "c"])
    }

    @Test func `more than the kernel's queue holds are all told of, each once`() throws {
        let watched = try Watched()
        try watched.make("/in")
        try watched.watch("/in")
        // Three events each, and no reader meanwhile: more than fs.inotify.max_queued_events.
        for number in 0..<6_000 {
            let file = open(watched.folder.path + "/in/\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            #expect(Glibc.write(file, "x", 1) == 1)
            close(file)
        }
        watched.wait(for: 6_000)
        #expect(Set(watched.paths).count == 6_000 && watched.paths.count == 6_000)
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let mayHold = Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        #expect(watched.told.contains(where: \.isIncomplete) == (mayHold < 18_000))
    }

    @Test func `a folder that may not be read says so`() throws {
        let watched = try Watched()
        try watched.make("/in")
        chmod(watched.folder.path + "/in", 0)
        defer { chmod(watched.folder.path + "/in", 0o700) }
        try watched.watch("/in")
        let trouble = watched.arrivals?.trouble
        if geteuid() != 0 { #expect(trouble?.contains("can't be") == true) }
    }

    @Test func `a link and another name of a file count at once, as what is whole already`() throws {
        let watched = try Watched()
        try watched.make("/in")
        try watched.write("a", to: "/a")
        try watched.watch("/in")
        try #require(symlink(watched.folder.path + "/a", watched.folder.path + "/in/soft") == 0)
        watched.wait(for: 1)
        try #require(link(watched.folder.path + "/a", watched.folder.path + "/in/hard") == 0)
        watched.wait(for: 2)
        #expect(watched.paths == ["in/soft", "in/hard"])
    }

    @Test func `a folder further up may be renamed and made anew`() throws {
        let watched = try Watched()
        try watched.make("/up/in")
        try watched.watch("/up/in")
        try watched.move("/up", to: "/away")
        try watched.make("/up/in")
        try watched.write("a", to: "/up/in/a")
        watched.wait(for: 1)
        #expect(watched.paths == ["up/in/a"])
    }

    @Test func `a file whose name is not UTF-8 starts nothing, and is said until it is renamed`() throws {
        let watched = try Watched()
        try watched.make("/in")
        try watched.watch("/in", names: "*.csv")
        #expect(watched.arrivals?.trouble == nil)
        func path(_ name: [UInt8]) -> [CChar] {
            (Array((watched.folder.path + "/in/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
        }
        func make(_ name: [UInt8]) { close(open(path(name), O_CREAT | O_WRONLY, 0o600)) }
        make([0xFF, 0x2E, 0x74, 0x78, 0x74])
        let csv: [UInt8] = [0xFF, 0x2E, 0x63, 0x73, 0x76]
        make(csv)
        try watched.write("a", to: "/in/a.csv")
        let sentence =
            "a file in \(watched.folder.path)/in has a name that is not UTF-8, so it starts nothing: rename it"
        watched.wait { watched.paths == ["in/a.csv"] && watched.arrivals?.trouble == sentence }
        // A host that starts finds it, too.
        try watched.watch("/in", names: "*.csv")
        #expect(watched.arrivals?.trouble == sentence)
        let to = path(Array("b.csv".utf8))
        #expect(rename(path(csv), to) == 0)
        watched.wait { watched.paths == ["in/a.csv", "in/b.csv"] && watched.arrivals?.trouble == nil }
    }
}
