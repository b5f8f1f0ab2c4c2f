import Testing

@testable import ColorFeedKit

@Suite struct ColorFeedSettingsTests {
    @Test func `the database is in the state folder unless settings name another`() throws {
        let plain = try ColorFeedSettings(json: #"{"feed":"f.json"}"#, stateDirectory: "/state")
        #expect(plain == ColorFeedSettings(feed: "f.json", database: "/state/feed.sqlite"))
        let named = try ColorFeedSettings(
            json: #"{"feed":"f.json","database":"/d"}"#, stateDirectory: "/state")
        #expect(named.database == "/d")
    }

    @Test func `what the worker adds is passed over`() throws {
        let json = #"{"feed":"f","lull":{"permitted":["com.example.ColorFeed.refresh"]}}"#
        #expect(try ColorFeedSettings(json: json, stateDirectory: "/s").feed == "f")
    }

    @Test(arguments: [
        ("{}", "\"feed\" is missing"),
        (#"{"fed":"x","feed":"y"}"#, "unknown key \"fed\""),
        (#"{"feed":7}"#, "\"feed\" is not a text"),
        (#"{"feed":""}"#, "\"feed\" is not a text"),
        (#"{"feed":"x","database":null}"#, "\"database\" is not a text"),
        ("[]", "not a map"),
        ("", "not a map"),
    ])
    func `bad settings are refused with a sentence`(json: String, finding: String) {
        let error = #expect(throws: ColorFeedError.self) {
            try ColorFeedSettings(json: json, stateDirectory: "/s")
        }
        #expect(error?.description.contains(finding) == true)
    }
}
