import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullSystem

/// A folder with a file, watched by the kernel.
struct FileEventsTests {
    private final class Bench {
        let loop: EventLoop
        let folder = FileManager.default.temporaryDirectory.path + "/lull-\(UUID().uuidString)"
        var file: String { folder + "/file" }
        /// The events since the last turn, by listener.
        private(set) var told: [String: [FileEvents.Kind]] = [:]
        /// How often the kernel had events.
        private(set) var drains = 0
        private var made: FileEvents?

        init(hasInotify: Bool = true) throws {
            loop = try EventLoop()
            loop.hasInotify = hasInotify
            loop.fileLookInterval = .milliseconds(20)
            try #require(mkdir(folder, 0o700) == 0)
            made = try FileEvents(on: loop) { [unowned self] in drains += 1 }
            write()
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var events: FileEvents { get throws { try #require(made) } }

        @discardableResult
        func watch(
            _ path: String? = nil, for kinds: FileEvents.Kind, once: Bool = false, as name: String
        ) throws -> FileEvents.Token {
            try events.watch(path ?? file, for: kinds, once: once) { [unowned self] kinds, _ in
                told[name, default: []].append(kinds)
            }
        }

        /// Opens a file, writes to it and closes it.
        func write(_ path: String? = nil) {
            let descriptor = open(path ?? file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            _ = Glibc.write(descriptor, "a", 1)
            close(descriptor)
        }

        /// Turns until the condition holds; returns the events.
        func turn(
            until isSo: ([String: [FileEvents.Kind]]) -> Bool
        ) throws -> (told: [String: [FileEvents.Kind]], wasWoken: Bool) {
            let end = Clock.monotonic + hangLimit
            (told, drains) = ([:], 0)
            let timer = try LoopTimer(on: loop) { [unowned loop] in loop.stop() }
            while !isSo(told), Clock.monotonic < end {
                timer.arm(Clock.monotonic + .milliseconds(10))
                loop.run()
            }
            return (told, drains > 0)
        }

        /// Turns once; returns the events, and whether the kernel had any.
        func turn() throws -> (told: [String: [FileEvents.Kind]], wasWoken: Bool) {
            (told, drains) = ([:], 0)
            // The timer rings after the events that already wait.
            let timer = try LoopTimer(on: loop) { [unowned loop] in loop.stop() }
            timer.arm(Clock.monotonic)
            loop.run()
            return (told, drains > 0)
        }
    }

    @Test func `two who watch one file hear what they asked for`() throws {
        let bench = try Bench()
        try bench.watch(for: .modified, as: "first")
        try bench.watch(for: [.opened, .written], as: "second")
        bench.write()
        #expect(try bench.turn().told == ["first": [.modified], "second": [[.opened, .written]]])
        try #require(unlink(bench.file) == 0)
        #expect(try bench.turn().told == ["first": [.gone], "second": [.gone]])
        #expect(try !bench.turn().wasWoken)
    }

    @Test func `who watches once hears the first of it and that the watch is gone`() throws {
        let bench = try Bench()
        let token = try bench.watch(for: [.opened, .modified], once: true, as: "once")
        chmod(bench.file, 0o640)
        #expect(try !bench.turn().wasWoken)
        bench.write()
        #expect(try bench.turn().told == ["once": [[.opened, .gone]]])
        // The kernel reports that the watch is gone, and no listener gets the event.
        #expect(try bench.turn().told.isEmpty)
        bench.write()
        #expect(try !bench.turn().wasWoken)
        try bench.events.forget(token)
    }

    @Test(arguments: [false, true])
    func `who watches once leaves the others their watch`(isFirst: Bool) throws {
        let bench = try Bench()
        if isFirst { try bench.watch(for: .modified, once: true, as: "once") }
        try bench.watch(for: [.modified, .attributes], as: "ever")
        if !isFirst { try bench.watch(for: .modified, once: true, as: "once") }
        // An event that only the other listens for does not count as its first.
        chmod(bench.file, 0o640)
        #expect(try bench.turn().told == ["ever": [.attributes]])
        bench.write()
        #expect(try bench.turn().told == ["once": [[.modified, .gone]], "ever": [.modified]])
        bench.write()
        #expect(try bench.turn().told == ["ever": [.modified]])
    }

    @Test func `what only a forgotten one listened for wakes nobody`() throws {
        let bench = try Bench()
        let first = try bench.watch(for: [.modified, .opened], as: "first")
        let second = try bench.watch(for: .attributes, as: "second")
        try bench.events.forget(first)
        bench.write()
        #expect(try !bench.turn().wasWoken)
        chmod(bench.file, 0o640)
        #expect(try bench.turn().told == ["second": [.attributes]])
        try bench.events.forget(second)
        #expect(try bench.turn().told.isEmpty)
        chmod(bench.file, 0o600)
        #expect(try !bench.turn().wasWoken)
    }

    @Test func `a path that leads to another file by now spoils no watch`() throws {
        let bench = try Bench()
        let old = bench.folder + "/old"
        let first = try bench.watch(for: .opened, as: "first")
        try bench.watch(for: .attributes, as: "second")
        try #require(rename(bench.file, old) == 0)
        bench.write()
        try bench.watch(for: .modified, as: "new")
        try bench.events.forget(first)
        bench.write()
        chmod(bench.file, 0o640)
        #expect(try bench.turn().told == ["new": [.modified]])
        chmod(old, 0o640)
        #expect(try bench.turn().told == ["second": [.attributes]])
    }

    @Test func `what comes into a folder is no removal`() throws {
        let bench = try Bench()
        try bench.watch(bench.folder, for: .removals, as: "folder")
        bench.write(bench.folder + "/new")
        #expect(try !bench.turn().wasWoken)
        // Only the names tell the two apart: the new one goes, and the old one is replaced.
        try #require(rename(bench.folder + "/new", bench.file) == 0)
        #expect(try bench.turn().told["folder"]?.count == 2)
        try #require(unlink(bench.file) == 0)
        #expect(try bench.turn().told["folder"]?.count == 1)
    }

    @Test func `where more happened than the kernel keeps, all hear that events were lost`() throws {
        let bench = try Bench()
        try bench.watch(for: [.modified, .attributes], as: "busy")
        let quiet = bench.folder + "/quiet"
        bench.write(quiet)
        try bench.watch(quiet, for: .modified, as: "quiet")
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let most = try #require(Int(limit.filter(\.isNumber)))
        // Two events each, which the kernel does not merge.
        let descriptor = open(bench.file, O_WRONLY | O_CLOEXEC)
        for _ in 0...most / 2 {
            _ = Glibc.write(descriptor, "a", 1)
            fchmod(descriptor, 0o600)
        }
        close(descriptor)
        #expect(try bench.turn().told == ["busy": [[.modified, .attributes, .lost]], "quiet": [.lost]])
        bench.write(quiet)
        #expect(try bench.turn().told == ["quiet": [.modified]])
    }

    @Test
    func `without an instance of inotify what is watched is polled, and watched again once there is one`()
        throws
    {
        let bench = try Bench(hasInotify: false)
        try bench.watch(for: .modified, as: "file")
        #expect(throws: FileEvents.Refusal(code: ENOENT)) {
            try bench.watch(bench.folder + "/none", for: .modified, as: "none")
        }
        #expect(bench.loop.fileShortage == .instances)
        #expect(try bench.turn(until: { $0["file"] != nil }).told == ["file": [.lost]])
        bench.loop.hasInotify = true
        // Anything may have happened meanwhile.
        #expect(try bench.turn(until: { _ in bench.loop.fileShortage == nil }).told == ["file": [.lost]])
        bench.write()
        #expect(try bench.turn(until: { $0["file"] != nil }).told == ["file": [.modified]])
    }

    @Test func `what is gone while it is polled is told as gone`() throws {
        let bench = try Bench(hasInotify: false)
        try bench.watch(for: .modified, as: "file")
        try #require(unlink(bench.file) == 0)
        #expect(try bench.turn(until: { $0["file"] != nil }).told == ["file": [[.gone, .lost]]])
        #expect(bench.loop.fileShortage == .instances)
    }
}
