import Foundation
import Testing

/// A second attack (`docs/attacks.md`): ways out of the confinement that no other test goes, under every kind of host, and judged by what
/// became of files and host.
struct AttackTests {
    @Test(arguments: OutreachTests.Host.possible)
    func `by files, processes and the kernel nothing outside is reached`(host: OutreachTests.Host) throws {
        let site = try OutreachSite(host, fixture: "Attack")
        let before = try site.look()
        let pass = try site.pass()
        #expect(pass.status == 0, "\(pass.output)\(pass.error)")
        let results = try site.results()
        #expect(try site.look() == before)
        #expect(results["host"] == "unchanged")
        let done = results.filter { $0.key.hasPrefix("a_") && $0.value == "done" }
        #expect(done.isEmpty, "\(done.keys.sorted())")
        #expect(results.count > 110)
        #expect(site.beside == ["file"])
    }
}
