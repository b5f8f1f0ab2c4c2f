import Foundation
import TestSupport
import Testing

/// A third attack (`docs/attacks.md`): acts that the other two leave out, under every kind of host. The test looks at the files
/// and the host afterwards.
struct AssaultTests {
    @Test(
        .enabled(if: ClosedFolder.path != nil, "\(ClosedFolder.absence)"),
        arguments: OutreachTests.Host.possible)
    func `by walks, odd doors and messages to the kernel nothing outside is reached`(
        host: OutreachTests.Host
    ) throws {
        let site = try OutreachSite(host, fixture: "Assault")
        let results = try site.withstand(atLeast: 100)
        if host == .rootWithLittle {
            let ways = results.filter { $0.key.hasPrefix("n_") && $0.value != "Permission denied" }
            #expect(ways.isEmpty, "\(ways)")
        }
        #expect(site.beside == ["file"])
    }
}
