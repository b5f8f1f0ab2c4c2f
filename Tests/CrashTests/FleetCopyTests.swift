import Foundation
import LullHistory
import TestSupport
import Testing

/// A state folder is copied: to another host, or back over its own later state. The copy gets a new place in the fleet.
@Suite(.enabled(if: FleetYard.isPossible, FleetYard.absence))
struct FleetCopyTests {
    private func yard(_ names: [String]) throws -> FleetYard {
        try FleetYard(names) { notes in
            "      own: { kind: processing, repeat: 1s, " + FleetYard.run("own", notes, seconds: 0) + " }\n"
                + "      shared: { kind: processing, repeat: 1s, scope: any_host, "
                + FleetYard.run("shared", notes, seconds: 0) + " }\n"
        }
    }

    private func copy(_ state: String, to other: String) throws {
        try Command.run(["rm", "-rf", other])
        try Command.run(["cp", "-a", state, other])
    }

    private func place(_ state: String) -> String {
        (try? String(contentsOfFile: state + "/place", encoding: .utf8))?.trimmingCharacters(
            in: .whitespacesAndNewlines) ?? ""
    }

    /// Numbers of the events from this place in the database.
    private func mirrored(_ place: String, in yard: FleetYard) throws -> Set<Int64> {
        let rows = try yard.rows(
            "select sequence from event e join mirror m on m.number = e.place where m.place = '\(place)'")
        return Set(rows.compactMap(Int64.init))
    }

    private func waitUntilAllIsThere(_ state: String, in yard: FleetYard) throws {
        let history = try SQLiteHistory.open(folder: state, mode: .readOnly)
        var count: Int64 = 0
        try history.forEachEvent(after: 0) { _ in count += 1 }
        try yard.wait("event \(count) of \(state) in the database") {
            try mirrored(place(state), in: yard).contains(count)
        }
    }

    @Test func `of two hosts with copies of one state one gets a place of its own`() throws {
        let yard = try yard(["a", "b"])
        let states = try ["a", "b"].map { try yard.host($0).workshop.state }
        try yard.start("a")
        try yard.wait(for: 3, "end", "own")
        yard.kill("a")
        try copy(states[0], to: states[1])
        let original = place(states[0])
        try yard.start("a")
        try yard.wait(for: 1, "end", "own")
        try yard.start("b")
        // Usually b, because the database tells it that it came later; else the first host that finds events in the database
        // that it lacks.
        try yard.wait("they have two places") { place(states[0]) != place(states[1]) }
        try yard.wait("one says why") {
            try yard.names.contains {
                try yard.host($0).workshop.words.contains("has its own place from now on")
            }
        }
        try yard.wait(for: 4, "end", "own")
        for state in states { try waitUntilAllIsThere(state, in: yard) }
        try yard.endAll()
        // Events from before the copy are not sent again.
        for state in states where place(state) != original {
            #expect(try mirrored(place(state), in: yard).contains(1) == false)
        }
    }

    @Test func `a copy of a state that is in use neither ends nor interrupts a run of its original`() throws {
        let yard = try FleetYard(["a", "b"]) { notes in
            let lasts = "while [ ! -e \(notes).enough ]; do sleep 0.1; done; "
            let run = FleetYard.run("long", notes, seconds: 0).replacing("sleep 0.0; ", with: lasts)
            return "      long: { kind: processing, repeat: 1h, scope: any_host, \(run) }\n"
        }
        let states = try ["a", "b"].map { try yard.host($0).workshop.state }
        try yard.start("a")
        let run = try yard.wait(for: 1, "begin", "long")
        try copy(states[0], to: states[1])
        try yard.start("b")
        try yard.wait("the copy says whose the run is") {
            let history = try SQLiteHistory.open(folder: states[1], mode: .readOnly)
            return try history.events(matching: HistoryQuery(names: [.slot])).contains {
                $0.slot?.act == .refused
                    && $0.reason?.hasPrefix("its lease \(run.number) belongs to a") == true
            }
        }
        try yard.wait("it has a place of its own") { place(states[0]) != place(states[1]) }
        #expect(
            try yard.host("b").workshop.words.contains("Start a copy of a machine with an empty state folder")
        )
        #expect(FileManager.default.createFile(atPath: yard.notes + ".enough", contents: nil))
        try yard.wait("the run's end") { yard.noted("end", "long").contains { $0.number == run.number } }
        try yard.wait("the database knows it") {
            try yard.rows("select state from slot where number = \(run.number)") == ["done"]
        }
        try yard.endAll()
        #expect(yard.noted("begin", "long") == [run])
        #expect(try yard.faults() == [])
    }

    @Test func `a state that was restored to an earlier one gets a place of its own`() throws {
        let yard = try yard(["a"])
        let state = try yard.host("a").workshop.state
        try yard.start("a")
        try yard.wait(for: 3, "end", "own")
        yard.kill("a")
        try copy(state, to: state + ".backup")
        try yard.start("a")
        try yard.wait(for: 20, "end")
        try waitUntilAllIsThere(state, in: yard)
        yard.kill("a")
        let original = place(state)
        try copy(state + ".backup", to: state)
        try yard.start("a")
        try yard.wait("it has another place") { place(state) != original }
        try yard.wait("it says why") {
            try yard.host("a").workshop.words.contains("The state folder was restored from a copy")
        }
        try yard.wait(for: 4, "end", "own")
        try waitUntilAllIsThere(state, in: yard)
        try yard.endAll()
        #expect(try mirrored(place(state), in: yard).contains(1) == false)
    }
}
