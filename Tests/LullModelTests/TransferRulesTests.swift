import LullModel
import Testing

struct TransferRulesTests {
    @Test(arguments: [
        ("::1", "[::1]", true), ("::1", "::1", true), ("::1", "[::2]", false),
        ("example.org", "EXAMPLE.org", true), ("example.org", "example.org.evil.net", false),
        ("*.example.org", "a.example.org", true), ("*.example.org", "example.org", false),
        ("*.example.org", ".example.org", false), ("*.example.org", "evilexample.org", false),
        ("example.org", "good@example.org", false), ("example.org", "[example.org", false),
    ])
    func `a host is permitted by its name alone`(pattern: String, host: String, isPermitted: Bool) {
        #expect((TransferRules(hosts: [pattern]).permission(of: host) != nil) == isPermitted)
    }
}
