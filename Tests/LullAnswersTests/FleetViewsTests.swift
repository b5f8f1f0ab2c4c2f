import LullHistory
import LullModel
import Testing

@testable import LullAnswers

/// Answers each function with the test's value, and records the calls.
final class FakeReader: FleetReader {
    var answers: [String: String]
    var asked: [(function: String, question: JSONValue)] = []

    init(_ answers: [String: String]) { self.answers = answers }

    func ask(_ function: String, _ question: JSONValue) throws(FleetReadError) -> String {
        asked.append((function, question))
        guard let answer = answers[function] else { throw FleetReadError("There is no \(function).") }
        return answer
    }
}

struct FleetChanceTests {
    private let hour: Int64 = 3_600_000

    @Test func `of one host it is that host's own`() {
        let own = FleetChance(half: hour, most: 4 * hour)
        #expect(FleetChance(of: [own]) == own)
        #expect(FleetChance(of: []) == FleetChance(half: nil, most: nil))
        #expect(FleetChance(of: [FleetChance(half: nil, most: nil)]) == FleetChance(half: nil, most: nil))
    }

    /// An even risk doubles with a second host, so that the time halves.
    @Test func `of two hosts the doubts multiply`() {
        let one = FleetChance(half: hour, most: Int64(Double(hour) * 3.321_928_094_887))
        let both = FleetChance(of: [one, one])
        #expect(abs((both.half ?? 0) - hour / 2) < 10)
        #expect(abs((both.most ?? 0) - (one.most ?? 0) / 2) < 10)
    }

    @Test func `what a host does not know adds nothing`() {
        let half = FleetChance(half: hour, most: nil)
        #expect(FleetChance(of: [half, half]) == FleetChance(half: hour / 2, most: nil))
        // 1 − ½·½·½·½ is more than nine tenths.
        let four = FleetChance(of: [half, half, half, half])
        #expect(four.half == hour / 4 && four.most == 2_989_735)
        #expect(FleetChance(of: [half, FleetChance(half: nil, most: nil)]) == half)
    }

    @Test func `a host that can run it now makes it soon`() {
        let far = FleetChance(half: 40 * hour, most: 80 * hour)
        let both = FleetChance(of: [far, FleetChance(half: 0, most: 0)])
        #expect((both.most ?? .max) < 10)
    }
}

struct FleetViewsTests {
    private let time = WallTime(seconds: 1_795_276_800)

    private func task() throws -> TaskIdentifier { try #require(TaskIdentifier("a.b.night")) }

    private func event(
        _ name: HistoryEvent.Name, _ minute: Int, run: UInt64, _ outcome: Outcome? = nil
    ) throws -> HistoryEvent {
        let app = try #require(AppIdentifier("a.b"))
        return HistoryEvent(
            name, at: time + .minutes(minute), app: app, task: try task(), run: RunID(run), outcome: outcome,
            reason: outcome?.isSuccess == false ? "exit code 3" : nil)
    }

    private func answer(_ events: [(String, HistoryEvent)]) -> String {
        let list = events.enumerated().map { index, event in
            let line = JSONValue.string(HistoryLines.encode(event.1)).text
            return
                "{\"host\":\"\(event.0)\",\"place\":\"p-\(event.0)\",\"seq\":\(index + 1),\"line\":\(line)}"
        }
        return "{\"now\":1,\"cut\":false,\"events\":[\(list.reversed().joined(separator: ","))]}"
    }

    @Test func `runs of all hosts come in one list, and each host's numbers are its own`() throws {
        let events = [
            ("b12", try event(.launched, 1, run: 7)), ("b13", try event(.launched, 2, run: 7)),
            ("b12", try event(.completed, 3, run: 7, .succeeded)),
            ("b13", try event(.failed, 4, run: 7, .failed)),
        ]
        let reader = FakeReader(["events_1": answer(events)])
        var query = FleetQuery()
        query.task = try task()
        query.hosts = ["b13", "b12"]
        query.names = [.launched, .failed]
        let past = try FleetPast.read(query, from: reader)
        #expect(past.events.map(\.event) == events.map(\.1))
        let runs = past.runs(RunQuery(limit: .max))
        #expect(runs.map(\.host) == ["b13", "b12"])
        #expect(runs.map(\.row.isFailure) == [true, false])
        let question = try #require(reader.asked.first?.question)
        #expect(
            question == [
                "task": "a.b.night", "hosts": ["b12", "b13"], "names": ["failed", "launched"],
                "limit": 20_000, "newest": true,
            ])
        #expect(
            past.events[0].line.hasPrefix(#"{"host":"b12","place":"p-b12","sequence":1,"time":"2026"#))
    }

    @Test func `an event of a newer host is counted and not shown`() throws {
        let line = JSONValue.string(#"{"time":"2026-11-21T08:00:00Z","event":"teleported","app":"a.b"}"#).text
        let reader = FakeReader([
            "events_1":
                "{\"cut\":true,\"events\":[{\"host\":\"b\",\"place\":\"p\",\"seq\":1,\"line\":\(line)}]}"
        ])
        let past = try FleetPast.read(FleetQuery(), from: reader)
        #expect(past.events.isEmpty && past.unread == 1 && past.isCut)
    }

    @Test func `an answer that is none is an error with a remedy`() throws {
        let reader = FakeReader(["events_1": "[]"])
        #expect(throws: FleetReadError.self) { try FleetPast.read(FleetQuery(), from: reader) }
    }

    @Test func `of a night the hosts with failures come first, by the one rule of what fails`() throws {
        func count(_ host: String, _ event: String, _ outcome: String, _ count: Int, _ gates: String = "")
            -> String
        {
            #"{"host":"\#(host)","place":"p-\#(host)","event":"\#(event)","outcome":"\#(outcome)","count":\#(count)\#(gates)}"#
        }
        let counts = [
            count("b11", "completed", "succeeded", 50), count("b12", "failed", "failed", 1),
            count("b13", "failed", "expired", 3, #","gates":["idle"]"#), count("b14", "failed", "expired", 2),
            #"{"host":"b14","place":"p-b14","event":"launched","count":9}"#,
            #"{"host":"b13","place":"p-b13","event":"given_up","count":4}"#,
        ]
        let events = [
            ("b14", try event(.launched, 1, run: 3)), ("b14", try event(.failed, 2, run: 3, .failed)),
        ]
        let reader = FakeReader([
            "night_1": "{\"hosts\":1000,\"counts\":[\(counts.joined(separator: ","))]}",
            "events_1": answer(events), "slots_1": #"{"slots":[]}"#,
        ])
        let night = try FleetNight.read(
            from: time, to: time + .hours(16), now: time + .hours(17), zone: .utc, reader: reader)
        #expect(night.hosts.map(\.host) == ["b14", "b12", "b13", "b11"])
        #expect(night.hosts.map(\.tally.failed) == [2, 1, 0, 0])
        #expect(night.hosts[2].tally.cutShort == 3 && night.hosts[2].tally.givenUp == 4)
        #expect(night.known == 1000 && night.hosts[3].tally.isWell && !night.hosts[2].tally.isWell)
        let lane = try #require(night.lanes.first?.timeline.lanes.first)
        #expect(lane.result(since: time) == .failed)
    }

    @Test(arguments: [(499, false), (500, false), (501, true)])
    func `a night says when there are more slots that no host ran than it reads`(
        count: Int64, isCut: Bool
    ) throws {
        let slots = (0..<count).map {
            let nominal = (time + .hours(1)).milliseconds - $0
            return
                #"{"slot":{"task":"a.b.night","nominal":\#(nominal),"target":""},"state":"open","attempt":0,"ago":0}"#
        }
        let reader = FakeReader([
            "night_1": #"{"hosts":2,"counts":[]}"#, "why_1": #"{"hosts":[]}"#,
            "slots_1": "{\"slots\":[\(slots.joined(separator: ","))]}",
        ])
        let night = try FleetNight.read(
            from: time, to: time + .hours(16), now: time + .hours(17), zone: .utc, reader: reader)
        #expect(night.isUnrunCut == isCut && !night.isCut)
        // What ended after the span is left out. The newest of the open ones are kept, and come last.
        #expect(night.unrun.count == Int(min(count, 500)))
        #expect(night.unrun.last?.slot.nominal == time + .hours(1))
        let questions = reader.asked.filter { $0.function == "slots_1" }.map(\.question)
        #expect(
            questions.last == ["target": "", "most": 501, "state": "open", "due": true, "newest": true])
    }

    @Test func `of a thousand hosts the ten nearest are shown, and all count`() throws {
        let minute: Int64 = 60_000
        let hosts: [FleetWhy.Host] = (0..<1000).map { (number: Int64) -> FleetWhy.Host in
            let gates: [String] = number == 500 ? [] : ["network"]
            return FleetWhy.Host(
                name: "b\(number)", host: "h\(number)", gates: gates, half: (1000 + number) * minute,
                most: (2000 + number) * minute)
        }
        let why = FleetWhy(task: try task(), hosts: hosts)
        let nearest = ["b500", "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"]
        #expect(why.hosts.map(\.name) == nearest)
        #expect(why.reporting == 1000)
        #expect((why.chance.most ?? .max) < 5 * minute)
    }

    @Test func `the grid of a thousand hosts has a row for each with trouble, and any that is looked for`()
        throws
    {
        let hosts = (1...1000).map { number in
            "{\"host\":\"h\(number)\",\"place\":\"p\(number)\",\"name\":\"b\(number)\",\"version\":\"1\",\"manifest\":\"m\",\"labels\":{},\"ago\":5,\"lives\":\(number != 9 && number != 8),\"stopped\":\(number == 8),\"draining\":false,\"leases\":0}"
        }
        let count =
            #"{"host":"b4","place":"p4","task":"a.b.night","event":"failed","outcome":"failed","count":2}"#
        let reader = FakeReader([
            "hosts_1": "{\"hosts\":[\(hosts.joined(separator: ","))]}", "mirrors_1": #"{"mirrors":[]}"#,
            "counts_1": #"{"open":1,"ended":{}}"#, "slots_1": #"{"slots":[]}"#, "jobs_1": #"{"jobs":[]}"#,
            "rollout_1":
                #"{"rollout":{"number":7,"hash":"3e4f9a11","author":"ops","state":"withdrawn","reason":"no","share":5,"ago":5,"current":6,"followers":9,"wanted":0,"has":0,"behind":0,"late":[],"canaries":[],"runs":0,"failed":0,"refusals":[]}}"#,
            "night_1": "{\"hosts\":1000,\"counts\":[\(count)]}",
        ])
        let grid = try FleetGrid.read(
            from: time, to: time + .hours(1), now: time + .hours(1), reader: reader)
        #expect(grid.rows.map(\.host) == ["b4", "b9"] && grid.rows.map(\.state) == ["lives", "silent"])
        #expect(
            grid.hostCount == 1000 && grid.wellCount == 998 && grid.moreHostCount == 998
                && grid.silentCount == 1)
        #expect(grid.rows[0].lanes.first??.failed == 2 && grid.rows[1].lanes == [nil])
        let found = try FleetGrid.read(
            from: time, to: time + .hours(1), now: time + .hours(1), finding: "B77", reader: reader)
        #expect(found.rows.count == 11 && found.moreHostCount == 0)
        #expect(grid.rollout?.isWell == false)
        #expect(
            grid.rollout?.sentences == [
                "Manifest 7 (3e4f9a11), applied now by ops, was taken back: no. Manifest 6 is in force."
            ])
    }

    @Test func `why is asked of the hosts and of the slots`() throws {
        let slot = #"{"slot":{"task":"a.b.night","nominal":1795276800000,"target":""},"#
        let reader = FakeReader([
            "why_1":
                #"{"now":1,"hosts":[{"task":"a.b.night","gates":["idle"],"reason":"r","half":5,"host":"h","name":"b12","ago":3}],"slots":[\#(slot)"state":"leased","attempt":1,"ago":5,"host":"b12","left":9}]}"#,
            "slots_1":
                #"{"slots":[\#(slot)"state":"leased","attempt":1,"ago":5},\#(slot)"state":"failed","attempt":3,"ago":7,"reason":"no"}]}"#,
        ])
        let why = try FleetWhy.read(try task(), from: reader)
        #expect(
            why.hosts == [
                FleetWhy.Host(name: "b12", host: "h", ago: 3, gates: ["idle"], reason: "r", half: 5)
            ])
        #expect(why.slots.map(\.state) == [.leased] && why.ended.map(\.state) == [.failed])
        #expect(why.chance.half == 2)
    }
}
