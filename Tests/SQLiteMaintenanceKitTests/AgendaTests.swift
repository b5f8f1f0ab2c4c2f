import Foundation
import TestSupport
import Testing

@testable import SQLiteMaintenanceKit

@Suite struct AgendaTests {
    @Test func `steps are taken database by database`() {
        var agenda = Agenda(databases: ["a", "b"], steps: [.check, .vacuum])
        var taken: [String] = []
        while let (path, step) = agenda.next {
            taken.append("\(path) \(step)")
            agenda.finishStep()
        }
        #expect(taken == ["a check", "a vacuum", "b check", "b vacuum"])
    }

    @Test func `a database that is given up gets no further step`() {
        var agenda = Agenda(databases: ["a", "b"], steps: [.check, .vacuum])
        agenda.giveUpDatabase()
        #expect(agenda.next?.path == "b")
    }

    @Test func `what is resumed is only what is still wanted`() throws {
        let file = try TemporaryFolder().path
        try? FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let path = file + "/state.json"
        try Agenda(databases: ["a", "b", "c"], steps: [.check, .vacuum]).save(to: path)
        let resumed = Agenda.resumed(from: path, databases: ["c", "a"], steps: [.vacuum])
        #expect(resumed == Agenda(databases: ["a", "c"], steps: [.vacuum]))
        #expect(Agenda.resumed(from: path, databases: ["d"], steps: [.vacuum]) == nil)
    }

    @Test func `a state file that is not there, or is no agenda, begins anew`() throws {
        let folder = try TemporaryFolder()
        let text = try folder.file("state.json", "{")
        #expect(Agenda.resumed(from: text, databases: ["a"], steps: [.check]) == nil)
        #expect(Agenda.resumed(from: folder.path + "/none", databases: ["a"], steps: [.check]) == nil)
    }
}
