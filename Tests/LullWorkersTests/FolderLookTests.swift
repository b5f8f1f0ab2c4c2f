import Foundation
import Glibc
import LullModel
import TestSupport
import Testing

@testable import LullWorkers

/// The size of an app's folder, as a walk through it finds it.
struct FolderLookTests {
    private func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/lull-look-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func write(_ bytes: Int, to path: String) throws {
        try Data(repeating: 1, count: bytes).write(to: URL(fileURLWithPath: path))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        // Allocates its blocks.
        fsync(file)
        close(file)
    }

    private func take(_ folder: String, since: WallTime? = nil, supervisors: [Int32] = []) -> FolderUse {
        FolderLook(folder, since: since, supervisors: supervisors, limit: hangLimit).take().use
    }

    @Test func `each file counts once, and no link is followed`() throws {
        let folder = try folder()
        let other = try self.folder()
        defer { for path in [folder, other] { try? FileManager.default.removeItem(atPath: path) } }
        let empty = take(folder)
        #expect(empty.isWhole && empty.files == 0)
        try FileManager.default.createDirectory(atPath: folder + "/a/b", withIntermediateDirectories: true)
        try write(1 << 20, to: folder + "/a/b/file")
        try write(4 << 20, to: other + "/large")
        #expect(link(folder + "/a/b/file", folder + "/second") == 0)
        try FileManager.default.createSymbolicLink(atPath: folder + "/there", withDestinationPath: other)
        let use = take(folder)
        #expect(use.isWhole && use.files == 4, "\(use)")
        #expect((1 << 20..<3 << 20).contains(use.bytes), "\(use)")
        #expect(use.changedBytes == 0)
        #expect(take(folder, since: .distantPast).changedBytes == use.bytes)
        #expect(take(folder, since: WallTime(milliseconds: 1 << 50)).changedBytes == 0)
        let through = take(folder + "/there")
        #expect(through.bytes == 0, "a link in the folder's place is nobody's folder")
        #expect(take(folder + "/none") == FolderUse())
    }

    @Test func `what is too deep, or takes too long, is said to be the least that is there`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let deep = folder + String(repeating: "/d", count: FolderLook.mostLevels + 3)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        let use = take(folder)
        #expect(!use.isWhole && use.isHidden, "in it may be whatever it likes")
        let wide = folder + "/wide"
        try FileManager.default.createDirectory(atPath: wide, withIntermediateDirectories: true)
        for number in 0..<600 { #expect(mkdir(wide + "/\(number)", 0o700) == 0) }
        let late = FolderLook(wide, limit: .zero).take().use
        #expect(!late.isWhole && !late.isHidden)
    }

    @Test func `root is kept out by nobody, and who looks as the app does by what it has closed`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(mkdir(folder + "/closed", 0o700) == 0)
        try write(1 << 20, to: folder + "/closed/large")
        #expect(chmod(folder + "/closed", 0) == 0)
        defer { chmod(folder + "/closed", 0o700) }
        let use = take(folder)
        #expect(use.isHidden == (geteuid() != 0))
        #expect(use.bytes >= 1 << 20 || use.isHidden)
    }

    /// A shell that has a deleted file open, and a file outside of the folder.
    @Test func `what processes have open without a name, or elsewhere to write, is found`() throws {
        let folder = try folder()
        let other = try self.folder()
        defer { for path in [folder, other] { try? FileManager.default.removeItem(atPath: path) } }
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let (input, output) = (Pipe(), Pipe())
        shell.standardInput = input
        shell.standardOutput = output
        // Here the shell is the supervisor, and its children are the app.
        let script = """
            exec 5>'\(folder)/gone' 6>'\(other)/beside'
            head -c 2097152 /dev/zero >&5; head -c 3145728 /dev/zero >&6; sync '\(other)/beside'
            rm '\(folder)/gone'
            sh -c 'echo ready; read line' & wait
            """
        shell.arguments = [
            "-c", "exec 7<&0; " + script.replacingOccurrences(of: "read line'", with: "read line <&7'"),
        ]
        try shell.run()
        defer {
            try? input.fileHandleForWriting.close()
            shell.waitUntilExit()
        }
        #expect(output.fileHandleForReading.availableData.count > 0)
        let use = take(folder, since: .distantPast, supervisors: [shell.processIdentifier])
        #expect((2 << 20..<3 << 20).contains(use.bytes), "\(use)")
        #expect(use.changedBytes >= 5 << 20, "\(use)")
        #expect(take(folder).bytes < 1 << 20)
    }

    /// An app that has hidden 24 MiB from every walk, and the last look at its folder.
    private func hide(_ task: String, in bench: WorkerBench) throws -> (app: AppIdentifier, look: FolderLook)
    {
        let app = try bench.start("MovesAway", tasks: [task])
        try bench.launch(1, task, of: app)
        try bench.waitForLog("hidden")
        return (app, FolderLook(bench.folder, limit: hangLimit))
    }

    @Test func `what is moved past a walk is missed by none that says that it saw all`() throws {
        let bench = try WorkerBench()
        try bench.pool.measureOften = .seconds(6000)
        var (app, look) = try hide("moves", in: bench)
        for _ in 0..<10 {
            let found = look.take()
            #expect(!found.isSteady && !found.use.isWhole || found.use.bytes >= 24 << 20, "\(found)")
        }
        try bench.pool.holdStill(app)
        look.isHeld = true
        let found = look.take()
        #expect(found.isSteady && found.use.isWhole && found.use.bytes >= 24 << 20, "\(found)")
        try bench.pool.letGo(app)
        // The app keeps moving its file.
        try bench.turn(until: "it moves its file again") { !look.take().isSteady }
        #expect(!bench.events.contains { if case .violation = $0 { true } else { false } })
    }

    @Test func `who moves files though it is stopped is named, and ended the second time`() throws {
        let bench = try WorkerBench()
        try bench.pool.measureOften = .seconds(6000)
        var (app, look) = try hide("wakes", in: bench)
        look.isHeld = true
        for isFirst in [true, false] {
            try bench.pool.holdStill(app)
            _ = look.take()
            // By now the supervisor's timer has woken it, or soon will.
            let supervisor = try #require(try bench.pool.supervisors(of: app).first)
            let worker = try bench.pool.pid(of: app)
            try bench.turn(until: "it goes on") {
                ProcessTable.descendants(of: supervisor).contains { $0.state == "S" && $0.pid != worker }
            }
            try bench.pool.letGo(app)
            let violation = try bench.waitForViolation()
            #expect(violation.sentence.contains(" kept running while its folder was measured"))
            #expect(violation.isFatal != isFirst)
        }
    }
}
