import Foundation
import GRDB
import Testing

@testable import SQLiteMaintenanceKit

@Suite struct MaintenanceTests {
    let workshop: Workshop
    let notes = Notes()

    init() throws {
        workshop = try Workshop()
    }

    @Test func `a pass checks, backs up, optimizes and vacuums`() async throws {
        let path = try workshop.database("app.sqlite", deleting: true)
        let item = MaintenanceSettings.Item(
            path: path, backup: .init(folder: workshop.backups), integrity: .full)
        let outcome = try await workshop.pass([item]).run(at: Workshop.now) { notes.add($0) }
        #expect(outcome == .finished)
        let backup = workshop.backups + "/app-20261121T083000Z.sqlite"
        try #require(notes.texts.count == 4)
        #expect(notes.texts[0] == "\(path): sound (full check)")
        #expect(notes.texts[1] == "\(path): backed up to \(backup)")
        #expect(notes.texts[2] == "\(path): statistics renewed")
        #expect(notes.texts[3].hasPrefix("\(path): vacuumed from "))
        let count = "SELECT count(*) FROM colour"
        #expect(try await DatabaseQueue(path: backup).read { try Int.fetchOne($0, sql: count) } == 286)
        let statistics = "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'colour'"
        #expect(try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: statistics) } == 1)
        #expect(
            try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") }
                == 0)
        #expect(!FileManager.default.fileExists(atPath: workshop.stateFile))
    }

    @Test func `auto leaves a compact database alone, true does not, false never vacuums`() async throws {
        let path = try workshop.database("app.sqlite")
        _ = try await workshop.pass([.init(path: path)], steps: [.vacuum]).run(at: Workshop.now) {
            notes.add($0)
        }
        _ = try await workshop.pass([.init(path: path, vacuum: .always)], steps: [.vacuum])
            .run(at: Workshop.now) { notes.add($0) }
        _ = try await workshop.pass([.init(path: path, vacuum: .never)], steps: [.vacuum])
            .run(at: Workshop.now) { notes.add($0) }
        try #require(notes.texts.count == 2)
        #expect(notes.texts[0].contains("no need to vacuum (0 of "))
        #expect(notes.texts[1].contains("vacuumed from "))
    }

    @Test func `a damaged database fails the run, is named, and is not backed up; the others are served`()
        async throws
    {
        let bad = try workshop.database("bad.sqlite")
        try workshop.damage(bad)
        let good = try workshop.database("good.sqlite")
        let backup = MaintenanceSettings.Backup(folder: workshop.backups)
        let outcome = try await workshop.pass([
            .init(path: bad, backup: backup), .init(path: good, backup: backup),
        ])
        .run(at: Workshop.now) { notes.add($0) }
        #expect(outcome == .failed(notes.problems) && notes.problems.count == 1)
        #expect(outcome.message == notes.problems.first)
        #expect(notes.problems.count == 1)
        #expect(notes.problems.first?.hasPrefix("database \"\(bad)\" is damaged: ") == true)
        #expect(try workshop.names(in: workshop.backups) == ["good-20261121T083000Z.sqlite"])
    }

    @Test func `a backup that came out damaged is removed and pushes out no good one`() async throws {
        let path = try workshop.database("app.sqlite")
        let item = MaintenanceSettings.Item(path: path, backup: .init(folder: workshop.backups, keep: 1))
        #expect(try await workshop.pass([item], steps: [.backup]).run(at: Workshop.now) { _ in } == .finished)
        try workshop.damage(path)
        let later = Workshop.now.addingTimeInterval(60)
        let outcome = try await workshop.pass([item], steps: [.backup]).run(at: later) { notes.add($0) }
        #expect(outcome == .failed(notes.problems) && notes.problems.count == 1)
        #expect(outcome.message == notes.problems.first)
        #expect(notes.problems.first?.contains("\"\(path)\"") == true)
        #expect(try workshop.names(in: workshop.backups) == ["app-20261121T083000Z.sqlite"])
    }

    @Test func `what is no database is told as such`() async throws {
        let path = try workshop.folder.file("text.sqlite", String(repeating: "no database\n", count: 100))
        let outcome = try await workshop.pass([.init(path: path)]).run(at: Workshop.now) { notes.add($0) }
        #expect(outcome == .failed(notes.problems) && notes.problems.count == 1)
        #expect(outcome.message == notes.problems.first)
        #expect(
            notes.problems.first?.contains("database \"\(path)\" is damaged: file is not a database") == true)
    }

    @Test func `a missing file is a sentence, and is not made`() async throws {
        let path = workshop.folder.path + "/none.sqlite"
        let outcome = try await workshop.pass([.init(path: path)]).run(at: Workshop.now) { notes.add($0) }
        #expect(outcome == .failed(notes.problems) && notes.problems.count == 1)
        #expect(outcome.message == notes.problems.first)
        #expect(notes.problems == [MaintenanceError.missing(path).description])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `an optional database may be missing`() async throws {
        let path = workshop.folder.path + "/none.sqlite"
        let item = MaintenanceSettings.Item(path: path, isOptional: true)
        #expect(try await workshop.pass([item]).run(at: Workshop.now) { notes.add($0) } == .finished)
        #expect(notes.texts == ["\(path): not there yet"])
    }

    @Test func `a busy database is a sentence`() async throws {
        let path = try workshop.database("app.sqlite")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        let outcome = try await workshop.pass([.init(path: path)]).run(at: Workshop.now) { notes.add($0) }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(outcome == .failed(notes.problems) && notes.problems.count == 1)
        #expect(outcome.message == notes.problems.first)
        #expect(notes.problems == [MaintenanceError.busy(path: path, seconds: 0).description])
    }

    @Test func `a backup folder that can't be made is a sentence`() async throws {
        let path = try workshop.database("app.sqlite")
        let item = MaintenanceSettings.Item(path: path, backup: .init(folder: path + "/inside"))
        let outcome = try await workshop.pass([item]).run(at: Workshop.now) { notes.add($0) }
        #expect(outcome == .failed(notes.problems))
        #expect(notes.problems.first?.hasPrefix("backup folder \"\(path)/inside\": ") == true)
    }

    @Test func `an expired pass stops between steps, and the next one goes on there`() async throws {
        let items = try ["a", "b"].map { MaintenanceSettings.Item(path: try workshop.database($0)) }
        let pass = workshop.pass(items, steps: [.check, .optimize])
        let work = Task {
            try await pass.run(at: Workshop.now) { note in
                notes.add(note)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        #expect(try await work.value == .stopped(pending: 2))
        #expect(notes.texts == ["\(items[0].path): sound (quick check)"])

        let rest = Notes()
        #expect(try await pass.run(at: Workshop.now) { rest.add($0) } == .finished)
        #expect(
            rest.texts == [
                "going on with the 2 databases that are left",
                "\(items[0].path): statistics renewed",
                "\(items[1].path): sound (quick check)", "\(items[1].path): statistics renewed",
            ]
        )
    }

    @Test func `while a step is under way its database stands last on disk`() async throws {
        let items = try ["a", "b"].map { MaintenanceSettings.Item(path: try workshop.database($0)) }
        let stateFile = workshop.stateFile
        let paths = items.map(\.path)
        _ = try await workshop.pass(items, steps: [.check]).run(at: Workshop.now) { note in
            notes.add(note)
            let agenda = Agenda.resumed(from: stateFile, databases: paths, steps: [.check])
            let expected = note.text.hasPrefix(paths[0]) ? [paths[1], paths[0]] : [paths[1]]
            #expect(agenda?.pending.map(\.path) == expected)
        }
        #expect(notes.texts.count == 2)
    }
}
