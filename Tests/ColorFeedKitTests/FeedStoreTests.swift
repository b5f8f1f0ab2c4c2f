import Foundation
import TestSupport
import Testing

@testable import ColorFeedKit

@Suite struct FeedStoreTests {
    let now = Date(timeIntervalSince1970: 1_795_248_000)
    let folder = try? TemporaryFolder()

    func store() throws -> FeedStore {
        try FeedStore(path: try #require(folder).path + "/feed.sqlite")
    }

    func entry(_ id: String, hoursAgo: Double, isDated: Bool = true) -> FeedEntry {
        FeedEntry(
            id: id, name: id, time: now.addingTimeInterval(-hoursAgo * 3600),
            gradient: .init(first: "#000000", second: "#ffffff", direction: 90), isDated: isDated
        )
    }

    @Test func `what was added is there after the database is opened again`() async throws {
        let entries = [entry("a", hoursAgo: 2), entry("b", hoursAgo: 1, isDated: false)]
        #expect(try await store().add(entries, fetchedAt: now) == 2)
        #expect(try await store().entries() == entries)
    }

    @Test func `only entries newer than the newest are added`() async throws {
        let store = try store()
        #expect(try await store.add([entry("a", hoursAgo: 2)], fetchedAt: now) == 1)
        #expect(
            try await store.add(
                [entry("a", hoursAgo: 2), entry("old", hoursAgo: 3), entry("b", hoursAgo: 1)], fetchedAt: now)
                == 1)
        #expect(try await store.entries().map(\.id) == ["a", "b"])
    }

    @Test func `an undated entry is added once, and hides no dated one`() async throws {
        let store = try store()
        #expect(try await store.add([entry("note", hoursAgo: 1, isDated: false)], fetchedAt: now) == 1)
        #expect(
            try await store.add(
                [entry("note", hoursAgo: 0, isDated: false), entry("a", hoursAgo: 2)], fetchedAt: now) == 1)
        #expect(try await store.entries().map(\.id) == ["a", "note"])
    }

    @Test func `cleaning deletes what is older than a day, and exactly a day is not`() async throws {
        let store = try store()
        let entries = [entry("a", hoursAgo: 24.001), entry("b", hoursAgo: 24), entry("c", hoursAgo: 1)]
        #expect(try await store.add(entries, fetchedAt: now) == 3)
        #expect(try await store.clean(at: now) == 1)
        #expect(try await store.entries().map(\.id) == ["b", "c"])
    }

    @Test func `a deleted entry doesn't come back with the next fetch`() async throws {
        let store = try store()
        let entries = [entry("a", hoursAgo: 30), entry("b", hoursAgo: 1)]
        _ = try await store.add(entries, fetchedAt: now)
        _ = try await store.clean(at: now)
        #expect(try await store.add(entries, fetchedAt: now) == 0)
    }

    @Test func `cleaning makes the file smaller`() async throws {
        let store = try store()
        _ = try await store.add((0..<5000).map { entry("entry \($0)", hoursAgo: 30) }, fetchedAt: now)
        let path = try #require(folder).path + "/feed.sqlite"
        func size() throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }
        let before = try size()
        #expect(try await store.clean(at: now) == 5000)
        #expect(try size() < before / 4)
    }

    @Test func `the next fetch is due at once, then a quarter of an hour after the last`() async throws {
        #expect(try store().nextFetch() == nil)
        #expect(try await store().add([], fetchedAt: now) == 0)
        #expect(try store().nextFetch() == now.addingTimeInterval(15 * 60))
    }

    @Test func `the next cleaning is due at once, then a week after the last`() async throws {
        #expect(try store().nextCleaning() == nil)
        _ = try await store().clean(at: now)
        #expect(try store().nextCleaning() == now.addingTimeInterval(7 * 86_400))
    }

    @Test func `a cancelled addition leaves nothing behind`() async throws {
        let store = try store()
        let entries = [entry("a", hoursAgo: 1)]
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.add(entries, fetchedAt: now)
        }
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(try await store.entries().isEmpty)
    }

    @Test func `a database that can't be opened is named`() throws {
        let path = try #require(folder).path + "/no/such/folder/feed.sqlite"
        let error = #expect(throws: ColorFeedError.self) { try FeedStore(path: path) }
        #expect(error?.description.contains("database \"\(path)\": ") == true)
    }
}
