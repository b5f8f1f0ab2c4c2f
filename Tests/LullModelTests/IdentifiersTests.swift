import LullModel
import Testing

struct IdentifiersTests {
    @Test(arguments: ["com.example", "com.example.ColorFeed.db_cleaning", "a.b-c", "9.x"])
    func `a reverse DNS name is an identifier`(text: String) {
        #expect(TaskIdentifier(text)?.text == text)
        #expect(AppIdentifier(text)?.text == text)
    }

    @Test(arguments: [
        "", "com", ".com.example", "com..example", "com.example.", "com.exa mple", "com.-x", "com/../x.y",
        "é.x", "host",
    ])
    func `anything else is none`(text: String) {
        #expect(TaskIdentifier(text) == nil)
        #expect(AppIdentifier(text) == nil)
    }

    @Test func `the host has a name that only a history can give`() {
        #expect(AppIdentifier(recorded: "host") == .host)
        #expect(AppIdentifier(recorded: "a.b") == AppIdentifier("a.b"))
        #expect(AppIdentifier(recorded: "hosts") == nil)
        #expect(TaskIdentifier("x", of: .host)?.text == "host.x")
    }

    @Test func `a wildcard is a task's identifier, and fits what has something in the place of its asterisk`()
    {
        let task = TaskIdentifier("com.example.ColorFeed.export.1")
        #expect(
            task?.wildcards.map(\.text) == [
                "com.example.ColorFeed.export.*", "com.example.ColorFeed.*", "com.example.*",
            ])
        #expect(task?.isWildcard == false)
        let wildcard = TaskIdentifier("com.example.ColorFeed.export.*")
        #expect(wildcard?.isWildcard == true && wildcard?.wildcards.isEmpty == true)
    }

    @Test(arguments: ["*", "com.*", ".*", "com.example.*.x", "com.example.x*", "com.example.**", "com..*"])
    func `an asterisk elsewhere makes no identifier`(text: String) {
        #expect(TaskIdentifier(text) == nil)
        #expect(AppIdentifier(text + ".*") == nil)
    }

    @Test func `an identifier is at most 255 bytes long`() {
        #expect(AppIdentifier("a." + String(repeating: "b", count: 253)) != nil)
        #expect(AppIdentifier("a." + String(repeating: "b", count: 254)) == nil)
    }

    @Test func `a short name belongs to its app and a long one stands for itself`() throws {
        let app = try #require(AppIdentifier("com.example.ColorFeed"))
        #expect(TaskIdentifier("refresh", of: app)?.text == "com.example.ColorFeed.refresh")
        #expect(TaskIdentifier("org.other.refresh", of: app)?.text == "org.other.refresh")
        #expect(TaskIdentifier("export.*", of: app)?.text == "com.example.ColorFeed.export.*")
        #expect(TaskIdentifier("org.other.*", of: app)?.text == "org.other.*")
    }
}
