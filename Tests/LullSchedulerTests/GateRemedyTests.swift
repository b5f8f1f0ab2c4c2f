import LullModel
import Testing

@testable import LullScheduler

/// Every remedy that `lull why` names is followed: the gate opens, or the task runs.
@Suite struct `A gate's remedy that is followed` {
    @Test(arguments: GateRemedy.all) func `opens the gate or lets the task run`(_ row: GateRemedy) throws {
        let before = try row.host()
        let verdict = try #require(before.gate(row.gate, of: row.task))
        #expect(!verdict.isOpen, "\(verdict.reason)")
        let launches = before.launches(of: row.task).count
        for words in try row.commands {
            var host = before
            #expect(GateRemedy.carryOut(words, on: &host), "nobody knows \(words)")
            #expect(row.isMended(host, launchedBefore: launches), "after \(words): \(verdict.remedy ?? "")")
        }
        for (index, edit) in row.edits.enumerated() {
            var host = before
            edit(&host)
            #expect(
                row.isMended(host, launchedBefore: launches), "after edit \(index): \(verdict.remedy ?? "")")
        }
        #expect(try row.commands.count + row.edits.count > 0)
    }

    /// Remedies that a person carries out, that depend on a time no test can choose, or that open no gate at once.
    private static let beyondTests = [
        "register com.example.Feed.refresh in a plugin built with version 1.2 of the interface or later, or take "
            + "`push` out of jobs.yaml",
        "register com.example.Feed.refresh in a plugin built with version 1.3 of the interface or later, or take "
            + "`transfers` out of jobs.yaml",
        "end the drain with `lull fleet resume`, or launch it now with `lull launch com.example.Feed.refresh`",
        "make the manifests agree: `lull fleet status` shows which host has which",
        "see `lull fleet status`, or launch it now with `lull launch com.example.Feed.refresh`",
        "push to it with `lull push com.example.Feed`",
        "submit an identifier with something in the place of its asterisk",
        "end it with `lull stop com.example.Feed.refresh`, or wait until it has ended",
        "record uses with `lull used com.example.Feed`, or launch it now with `lull launch com.example.Feed.refresh`",
    ]

    /// A remedy that is new fails here until a row follows it.
    @Test func `is one of all that there are`() throws {
        let followed = try (GateRemedy.all.compactMap { try $0.remedy } + Self.beyondTests)
            .map(Self.withoutNames)
        let all = Set(VerdictWordsTests.rows.compactMap(\.remedy).map(Self.withoutNames))
        #expect(all.count > 30)
        #expect(all.filter { remedy in !followed.contains { $0.contains(remedy) } }.sorted() == [])
    }

    /// The remedy with placeholders for its task, app, plugin and place.
    private static func withoutNames(_ remedy: String) -> String {
        remedy.replacing(/\S+\.so\b/, with: "PLUGIN").replacing(/jobs\.yaml:\d+/, with: "PLACE")
            .replacing(/com\.example\.[A-Za-z.]*[A-Za-z]/, with: "NAME")
    }
}
