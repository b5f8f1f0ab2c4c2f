import Foundation
import TestSupport
import Testing

/// A second attack (`docs/attacks.md`): ways out of the confinement that no other test tries, under every kind of host. The test
/// looks at the files and the host afterwards.
struct AttackTests {
    @Test(arguments: OutreachTests.Host.possible)
    func `by files, processes and the kernel nothing outside is reached`(host: OutreachTests.Host) throws {
        let site = try OutreachSite(host, fixture: "Attack")
        _ = try site.withstand(atLeast: 110)
        #expect(site.beside == ["file"])
    }
}
