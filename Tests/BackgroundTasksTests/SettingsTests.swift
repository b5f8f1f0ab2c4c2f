import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

@Suite struct SettingsTests {
    struct Feed: Decodable, Equatable {
        struct Source: Decodable, Equatable {
            var feedPath: String
        }
        var keepDays: Int
        var sources: [Source]
        var environment: [String: String]?
    }

    private func problem(_ json: String) -> LullSettingsError? {
        do {
            _ = try LullSettingsError.decode(Feed.self, from: json, of: "task com.example.Feed.refresh")
            return nil
        } catch {
            return error as? LullSettingsError
        }
    }

    @Test func `settings fit properties in Swift's spelling and leave the keys of dictionaries alone`() throws
    {
        let json = #"{"keep_days":3,"sources":[{"feed_path":"a"}],"environment":{"MY_HOME":"b"}}"#
        let feed = try LullSettingsError.decode(Feed.self, from: json, of: "app")
        #expect(feed == Feed(keepDays: 3, sources: [.init(feedPath: "a")], environment: ["MY_HOME": "b"]))
    }

    @Test(
        arguments: [
            (#"{"sources":[]}"#, "/keep_days", "nothing"),
            (#"{"keep_days":"three","sources":[]}"#, "/keep_days", "Int"),
            (#"{"keep_days":null,"sources":[]}"#, "/keep_days", "null"),
            (
                #"{"keep_days":3,"sources":[{"feed_path":"a"},{"feed_path":4}]}"#, "/sources/1/feed_path",
                "String"
            ),
            (#"{"keep_days":3,"sources":[{}]}"#, "/sources/0/feed_path", "nothing"),
            ("[]", "", "type"),
            ("{", "", ""),
        ]
    )
    func `what does not fit is named by its place in the manifest`(
        json: String, pointer: String, word: String
    ) throws {
        let error = try #require(problem(json))
        #expect(error.pointer == pointer)
        #expect(word.isEmpty || error.problem.contains(word), "\(error.problem)")
        #expect(error.localizedDescription.contains("task com.example.Feed.refresh"))
        #expect(error.localizedDescription.hasSuffix("Correct them in jobs.yaml."))
    }

    @Test func `a run has the settings of its task and writes to its own log`() async throws {
        let fixture = Fixture()
        let given = Left<BGTask>()
        #expect(fixture.register { given.leave($0) })
        fixture.launch(number: 5, settings: #"{"keep_days":3,"sources":[]}"#)
        let task = try await given.next()
        #expect(task.settingsJSON == #"{"keep_days":3,"sources":[]}"#)
        #expect(try task.settings(as: Feed.self).keepDays == 3)
        task.log("one\0two", level: .notice)
        #expect(
            fixture.host.lines == [.init(level: lull_level(LULL_NOTICE), task: 5, message: "one\u{FFFD}two")])
    }

    @Test func `what a run prints goes to the host byte by byte, each stream as such`() async throws {
        let fixture = Fixture()
        let given = Left<BGTask>()
        #expect(fixture.register { given.leave($0) })
        fixture.launch(number: 5)
        let output = try await given.next().runOutput
        output.write("one\0ö")
        [UInt8(0xFF)].withUnsafeBytes { output.write($0, to: .error) }
        output.write("")
        #expect(
            fixture.host.record.withLock(\.printed) == [
                .init(task: 5, stream: LULL_STREAM_OUTPUT, bytes: Array("one\0ö".utf8)),
                .init(task: 5, stream: LULL_STREAM_ERROR, bytes: [0xFF]),
            ])
    }

    @Test func `an app has its identifier, settings and folder`() throws {
        let host = try #require(Fixture().scheduler.registry.host)
        #expect(host.app == "com.example.Feed")
        #expect(host.settings.hasPrefix(#"{"keep_days":3"#))
        #expect(host.stateDirectory == "/var/lib/feed")
    }

    @Test func `the permitted tasks are those that the worker names`() {
        let settings = #"{"keep_days":3,"lull":{"permitted":["com.example.b","com.example.a"]}}"#
        #expect(LullApp.permittedTasks(in: settings) == ["com.example.b", "com.example.a"])
        #expect(LullApp.permittedTasks(in: "{}").isEmpty)
        #expect(LullApp.permittedTasks.isEmpty)
    }

    @Test func `in a process that is no worker an app has empty settings and the current folder`() {
        #expect(LullApp.identifier.isEmpty)
        #expect(LullApp.settingsJSON == "{}")
        #expect(LullApp.stateDirectory == FileManager.default.currentDirectoryPath)
    }

    @Test func `the levels are those of the contract`() {
        #expect(LullLogLevel.trace.rawValue == LULL_TRACE && LullLogLevel.critical.rawValue == LULL_CRITICAL)
        #expect(LullLogLevel.allCases.count == LULL_CRITICAL - LULL_TRACE + 1)
        #expect(LullLogLevel.debug < .error)
    }
}
