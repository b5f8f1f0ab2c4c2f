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

    @Test func `an identifier is at most 255 bytes long`() {
        #expect(AppIdentifier("a." + String(repeating: "b", count: 253)) != nil)
        #expect(AppIdentifier("a." + String(repeating: "b", count: 254)) == nil)
    }

    @Test func `a short name belongs to its app and a long one stands for itself`() throws {
        let app = try #require(AppIdentifier("com.example.ColorFeed"))
        #expect(TaskIdentifier("refresh", of: app)?.text == "com.example.ColorFeed.refresh")
        #expect(TaskIdentifier("org.other.refresh", of: app)?.text == "org.other.refresh")
    }
}
