import Foundation
import TestSupport
import Testing

/// A third attack (`docs/attacks.md`): what neither of the others tries, under every kind of host, and judged by what became of files and
/// host.
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
