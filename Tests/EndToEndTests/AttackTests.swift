import Foundation
import TestSupport
import Testing

/// A second attack (`docs/attacks.md`): ways out of the confinement that no other test goes, under every kind of host, and judged by what
/// became of files and host.
struct AttackTests {
    @Test(arguments: OutreachTests.Host.possible)
    func `by files, processes and the kernel nothing outside is reached`(host: OutreachTests.Host) throws {
        let site = try OutreachSite(host, fixture: "Attack")
        _ = try site.withstand(atLeast: 110)
        #expect(site.beside == ["file"])
    }
}
