import LullModel
import Testing

@testable import LullManifest

/// The tables of keys are whole: a key that has a place is read there.
struct KeyTablesTests {
    @Test func `what tasks and apps inherit is in one table each, once`() {
        let keys = (InheritedKey.ofTasks + InheritedKey.ofApps).map(\.key)
        #expect(Set(keys).count == keys.count)
        for place in [Place.defaults, .includedDefaults] {
            #expect(Set(place.keys).isSuperset(of: keys), "\(place)")
        }
    }

    @Test(arguments: InheritedKey.ofTasks.map(\.key))
    func `a diff names each key that a task inherits`(key: Key) throws {
        let app = try #require(AppIdentifier("com.example.App"))
        let task = try #require(TaskIdentifier("com.example.App.task"))
        var refresh = TaskDefinition(identifier: task, app: app, kind: .refresh)
        refresh.at = ExactTimes()
        let words = try #require(InheritedKey.byKey[key]).say(refresh)
        #expect(!words.isEmpty && words.allSatisfy { $0.0.split(separator: ".")[0] == key.rawValue })
    }

    @Test func `a key that a place holds and nobody reads is our bug`() async {
        await #expect(processExitsWith: .failure) { ManifestDecoder.unread(.kind) }
    }
}
