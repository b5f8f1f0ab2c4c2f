import Testing

@testable import LullManifest

/// Users and groups as the machine's name service has them.
struct AccountsTests {
    @Test func `a user is found by name and by number`() throws {
        let root = try #require(Accounts.user(named: "root"))
        #expect(root == Accounts.User(name: "root", number: 0, group: 0))
        #expect(Accounts.user(0) == root)
        #expect(Accounts.group(0)?.name == "root")
    }

    @Test func `this machine's own accounts are listed by name`() {
        #expect(Accounts.localNames().contains("root"))
    }

    @Test func `who is not known is nobody`() {
        #expect(Accounts.user(named: "nobody-of-that-name") == nil)
        #expect(Accounts.user(61_234) == nil)
        #expect(Accounts.group(61_234) == nil)
    }
}
