import Foundation
import Testing

@testable import ColorFeedKit

@Suite struct FeedTests {
    /// 2026-11-21T08:00:00Z.
    let now = Date(timeIntervalSince1970: 1_795_248_000)

    func feed(_ entries: String...) throws(ColorFeedError) -> Feed {
        try Feed(json: Data("{\"entries\":[\(entries.joined(separator: ","))]}".utf8), name: "f.json")
    }

    func entry(_ id: String, _ rest: String = "") -> String {
        "{\"id\":\"\(id)\",\"gradient\":[\"#000000\",\"#FFffff\"]\(rest)}"
    }

    @Test func `a daily entry was current today and on the two days that a feed reaches back over`() throws {
        let morning = try feed(entry("a", #","daily":"08:00""#)).entries(at: now)
        #expect(morning.map { now.timeIntervalSince($0.time) } == [86_400, 0])
        let evening = try feed(entry("a", #","daily":"20:30""#)).entries(at: now)
        #expect(evening.map { now.timeIntervalSince($0.time) / 3600 } == [35.5, 11.5])
    }

    @Test func `an entry of the future is not there yet`() throws {
        let feed = try feed(entry("a", #","time":"2026-11-21T08:00:01Z""#))
        #expect(feed.entries(at: now).isEmpty)
        #expect(feed.entries(at: now.addingTimeInterval(1)).map(\.id) == ["a"])
    }

    @Test func `times may have fractions and offsets`() throws {
        let feed = try feed(
            entry("a", #","time":"2026-11-21T07:00:00.500Z""#),
            entry("b", #","time":"2026-11-21T08:00:00+01:00""#))
        #expect(feed.entries(at: now).map { now.timeIntervalSince($0.time) } == [3600, 3599.5])
    }

    @Test func `an entry without a time has the time of the fetch`() throws {
        let entries = try feed(entry("a")).entries(at: now)
        #expect(entries.map(\.time) == [now])
        #expect(entries.map(\.isDated) == [false])
    }

    @Test func `entries come oldest first`() throws {
        let feed = try feed(entry("b", #","daily":"07:00""#), entry("a", #","daily":"06:00""#))
        #expect(feed.entries(at: now).map(\.id) == ["a", "b", "a", "b"])
    }

    @Test(arguments: [
        (##"{"id":"x","gradient":["#000000"]}"##, "entry 1 (\"x\"): \"gradient\" is not two colours"),
        (##"{"id":"x","gradient":["#00000g","#000000"]}"##, "\"gradient\" is not two colours"),
        (##"{"id":"x","gradient":["#000000","#000000"],"daily":"24:00"}"##, "\"daily\" is \"24:00\""),
        (##"{"id":"x","gradient":["#000000","#000000"],"daily":"-1:00"}"##, "\"daily\" is \"-1:00\""),
        (##"{"id":"x","gradient":["#000000","#000000"],"time":"yesterday"}"##, "\"time\" is \"yesterday\""),
        (##"{"id":"x","gradient":["#000000","#000000"],"time":"a","daily":"b"}"##, "both"),
        (##"{"id":"good","gradient":["#000000","#000000"]}"##, "the id \"good\" is taken"),
        (##"{"gradient":["#000000","#000000"]}"##, "entry 1: \"id\" is missing"),
        (##"{"id":7,"gradient":[]}"##, "entry 1: \"id\" has the wrong type"),
        ("}", "not JSON"),
    ])
    func `a bad entry is refused with its place`(bad: String, finding: String) {
        let error = #expect(throws: ColorFeedError.self) { try feed(entry("good"), bad) }
        #expect(error?.description.contains("f.json") == true)
        #expect(error?.description.contains(finding) == true, "\(String(describing: error))")
    }
}
