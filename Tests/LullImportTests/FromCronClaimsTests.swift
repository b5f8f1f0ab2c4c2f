import Foundation
import LullManifest
import LullModel
import Testing

@testable import LullImport

/// The manual's claims about imported jobs, held to the shipped unit and to the defaults.
struct FromCronClaimsTests {
    private static let root = Samples.folder.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// `Key=value` lines of the unit that restrict its processes.
    private func takenAway() throws -> [String: Set<String>] {
        let keys = [
            "CapabilityBoundingSet", "KeyringMode", "LockPersonality", "SystemCallFilter", "NoNewPrivileges",
            "PrivateTmp", "PrivateDevices", "PrivateNetwork", "UMask", "MemoryDenyWriteExecute",
            "DevicePolicy",
            "ReadOnlyPaths", "InaccessiblePaths", "SystemCallArchitectures", "ProcSubset",
        ]
        var found: [String: Set<String>] = [:]
        for line in try text("packaging/lull.service.in").split(separator: "\n") where !line.hasPrefix("#") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = String(line[..<equals])
            let value = line[line.index(after: equals)...]
            guard
                keys.contains(key) || key.hasPrefix("Protect")
                    || key.hasPrefix("Restrict") && !key.hasPrefix("RestartP")
            else { continue }
            if value == "no" || key.hasPrefix("Restart") { continue }
            found[key, default: []].formUnion(value.drop { $0 == "~" }.split(separator: " ").map(String.init))
        }
        return found
    }

    @Test func `what the unit takes from a job is all in the manual, and nothing else is`() throws {
        let manual = try text("docs/from-cron.md")
        let section = try #require(
            manual.components(separatedBy: "### What the unit takes away\n").dropFirst().first
        )
        .components(separatedBy: "\n## ")[0]
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let taken = try takenAway()
        #expect(taken["CapabilityBoundingSet"]?.isSuperset(of: ["CAP_SYSLOG", "CAP_SYS_TIME"]) == true)
        #expect(taken["SystemCallFilter"]?.contains("@clock") == true)
        #expect(Set(rows.map { String($0.dropFirst(3).prefix { $0 != "=" }) }) == Set(taken.keys))
        for row in rows {
            let key = String(row.dropFirst(3).prefix { $0 != "=" })
            let written = row.split(separator: "`").map(String.init)
            if written.contains(key + "=yes") {
                #expect(taken[key] == ["yes"])
            } else {
                let named = Set(
                    written.filter { $0.hasPrefix("CAP_") || $0.hasPrefix("@") || $0.hasPrefix("AF_") })
                #expect(
                    named.isEmpty
                        ? written.contains("\(key)=\(taken[key]?.first ?? "")") : named == taken[key],
                    "\(row)")
            }
        }
        #expect(!manual.contains("with all the rights of its user"))
    }

    /// Each closes devices; before systemd 252 `ProtectClock` closes all but the clock.
    @Test(arguments: ["lull.service.in", "lull-user.service.in"])
    func `the unit leaves devices to jobs`(unit: String) throws {
        let lines = try text("packaging/" + unit).split(separator: "\n")
        for key in ["ProtectClock", "PrivateDevices", "DevicePolicy", "DeviceAllow"] {
            #expect(!lines.contains { $0.hasPrefix(key + "=") })
        }
    }

    @Test func `a processing task requires what its manifest names, as the manual says`() throws {
        let text =
            "version: 1\napps:\n  a.b:\n    plugin: Command\n    usage: manual\n    tasks: { c: { kind: processing } }\n"
        let read = try #require(Samples.reader.read(text: Array(text.utf8), path: "jobs.yaml").manifest)
        #expect(read.tasks.first?.requires == Requirements())
        #expect(Requirements().externalPower == false)
        #expect(Requirements().idle == nil)
        let manual = try self.text("docs/operating.md")
        #expect(manual.contains("a processing task requires nothing that its manifest does not name"))
        #expect(!manual.contains("processing tasks require external power"))
    }

    @Test func `the defaults of an import are those of the manual`() throws {
        let manual = try text("docs/from-cron.md")
        for (key, value) in ImportedDefaults.cron where key != "concurrency" && key != "time_limit" {
            #expect(
                manual.contains("`\(key): \(value.line)`") || manual.contains("`\(key): \(value.line);"),
                "\(key)")
        }
        let limit = ImportedDefaults.cron.first { $0.key == "time_limit" }?.value.line
        #expect(limit == "1d" && manual.contains("| time limit | none | a day, the longest there is |"))
    }
}
