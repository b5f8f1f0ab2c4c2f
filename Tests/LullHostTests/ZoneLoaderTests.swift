import LullModel
import Testing

@testable import LullHost

struct ZoneLoaderTests {
    /// 2026-06-01 00:00 UTC.
    private let june = WallTime(seconds: 1_780_272_000)

    @Test func `a zone's table holds the transitions around now`() throws {
        let zones = ZoneLoader.load(["Europe/Berlin"], around: june)
        let berlin = try #require(zones.named["Europe/Berlin"])
        #expect(berlin.offset(at: june) == 7200)
        // Summer time ends at 2026-10-25 01:00 UTC, to the second.
        #expect(
            berlin.nextTransition(after: june) == .init(at: WallTime(seconds: 1_792_890_000), offset: 3600))
        #expect(berlin.offset(at: WallTime(seconds: 1_792_889_999)) == 7200)
    }

    @Test func `a zone without transitions has its offset alone`() throws {
        let zone = try #require(ZoneLoader.load(["Asia/Kolkata"], around: june).named["Asia/Kolkata"])
        #expect(zone.transitions.isEmpty)
        #expect(zone.initialOffset == 19800)
    }

    @Test func `a zone has the name that the manifest gives it`() throws {
        #expect(try #require(ZoneLoader.load(["UTC"], around: june).named["UTC"]).name == "UTC")
    }

    @Test func `an unknown zone is left out and the host's stands in`() {
        let zones = ZoneLoader.load(["Nowhere/Land"], around: june)
        #expect(zones.named.isEmpty)
        #expect(zones["Nowhere/Land"] == zones.host)
    }
}
