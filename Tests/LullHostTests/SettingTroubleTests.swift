import Foundation
import LullManifest
import LullModel
import Testing

@testable import LullHost

/// Errors of settings against their plugins' schemas are reported for the manifest in force only.
struct SettingTroubleTests {
    private static func manifest(_ hash: String) -> Manifest { Manifest(hash: hash) }

    private static func desk() throws -> HostDesk {
        try HostDesk {
            $0.judgeSettings = { manifest in
                (0..<(Int(manifest.hash) ?? 0)).map { "jobs.yaml:\($0 + 1):1: it is wrong" }
            }
        }
    }

    /// Puts a manifest in force, and returns once its errors are known.
    private func put(_ hash: String, in host: LullHost.Host, of desk: HostDesk) throws {
        host.take(Self.manifest(hash)) {}
        for _ in 0..<10_000 where host.settingTroubles.count != Int(hash) {
            host.blocking.run(within: .seconds(60)) {
            } then: { _ in
                host.loop.stop()
            }
            #expect(try desk.turns())
        }
    }

    @Test func `a status names them, the first three in full, until they are mended`() throws {
        let desk = try Self.desk()
        let host = desk.host
        #expect(host.remarks == nil)
        try put("2", in: host, of: desk)
        #expect(host.remarks == ["jobs.yaml:1:1: it is wrong", "jobs.yaml:2:1: it is wrong"])
        try put("5", in: host, of: desk)
        #expect(host.remarks?.count == 4)
        #expect(host.remarks?.last == "2 more settings are wrong: `lull check` shows all of them.")
        host.manifestTrouble = "The new one has an error."
        #expect(host.remarks?.first == "The new one has an error.")
        host.manifestTrouble = nil
        try put("0", in: host, of: desk)
        #expect(host.remarks == nil)
    }
}
