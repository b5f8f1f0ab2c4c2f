import Foundation
import TestSupport
import Testing

@testable import ColorFeedKit

@Suite struct FeedSourceTests {
    let folder = try? TemporaryFolder()
    let now = Date(timeIntervalSince1970: 1_795_248_000)
    let json = ##"{"entries":[{"id":"a","gradient":["#000000","#ffffff"]}]}"##

    @Test func `a text is a path unless it is a web address`() throws {
        #expect(try FeedSource("feed.json") == .file("feed.json"))
        let url = try #require(URL(string: "HTTPS://example.org/feed"))
        #expect(try FeedSource("HTTPS://example.org/feed") == .server(url))
        #expect(throws: ColorFeedError.self) { try FeedSource("http://") }
    }

    @Test func `a file is read`() async throws {
        let path = try #require(folder).file("feed.json", json)
        #expect(try await FeedSource(path).fetch().entries(at: now).map(\.id) == ["a"])
    }

    @Test func `a server is asked`() async throws {
        let server = try LoopbackServer(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)")
        #expect(try await FeedSource(server.address).fetch().entries(at: now).map(\.id) == ["a"])
    }

    @Test func `an answer other than 200 is an error that names it`() async throws {
        let server = try LoopbackServer(answer: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        await #expect(throws: ColorFeedError.status(feed: server.address, code: 404)) {
            try await FeedSource(server.address).fetch()
        }
    }

    @Test func `files that can't be read are named with the reason`() async throws {
        let folder = try #require(folder)
        for (path, reason) in [
            (folder.path + "/none.json", "there is no such file"),
            (folder.path, "not a plain file"),
            (try folder.file("empty.json", ""), "it is empty"),
        ] {
            let error = await #expect(throws: ColorFeedError.self) { try await FeedSource(path).fetch() }
            #expect(error?.description.contains("feed \"\(path)\"") == true)
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test func `a file without end is refused`() async {
        await #expect(throws: ColorFeedError.tooLarge(feed: "/dev/zero", limit: FeedSource.limit_bytes)) {
            try await FeedSource("/dev/zero").fetch()
        }
    }

    @Test func `the feed in the repository has colours on any day, and yesterday's can be cleaned away`()
        async throws
    {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let feed = try await FeedSource(root.path + "/plugins/ColorFeed/feed.json").fetch()
        for day in [0.0, 100, 10_000] {
            let now = now.addingTimeInterval(day * 86_400)
            let store = try FeedStore(path: ":memory:")
            #expect(try await store.add(feed.entries(at: now), fetchedAt: now) == 96)
            #expect(try await store.add(feed.entries(at: now), fetchedAt: now) == 0)
            let later = now.addingTimeInterval(1800)
            #expect(try await store.add(feed.entries(at: later), fetchedAt: later) == 1)
            #expect(try await store.clean(at: now) == 47)
        }
    }
}
