import LullModel
import TestSupport
import Testing

@testable import LullManifest

/// `transfers` of an app: its values, the task that it makes, and each mistake with its place.
struct TransferKeyTests {
    private func app(_ keys: String) throws -> App? {
        let text = "version: 1\napps:\n  com.example.A:\n    plugin: ColorFeed\n    usage: manual\n" + keys
        let result = read(Array(text.utf8))
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map { $0.rendered() })")
        return result.manifest?.apps.first
    }

    private func said(_ keys: String) -> [String] {
        let text = "version: 1\napps:\n  com.example.A:\n    plugin: ColorFeed\n    usage: manual\n" + keys
        return read(Array(text.utf8)).diagnostics.map {
            $0.rendered().split(separator: "\n").first.map(String.init) ?? ""
        }
    }

    @Test(arguments: ["", "{}"]) func `with nothing behind it allows what is usual`(_ value: String) throws {
        let app = try #require(try app("    transfers: \(value)\n"))
        #expect(app.transfers == TransferRules())
        let task = try #require(app.tasks.first)
        #expect(task.identifier == TransferRules.task(of: app.identifier))
        #expect(task.kind == .transfers && task.timeLimit == .seconds(30) && task.latest == nil)
        #expect(task.line == 6)
    }

    @Test func `says how much, with whom, and when`() throws {
        let keys = """
                transfers:
                  at_once: 9
                  rate: 2MiB
                  hosts: [a.example.com, "*.example.org", "2001:db8::1", 127.0.0.1]
                  max_size: 1GiB
                  requires: { network: unmetered, disk_free: 1GiB }
                  windows: ["01:00-05:00"]
                  quiet: ["Sun 02:00-04:00"]
                  except: []
                  only: [Mon-Fri]
                  until: 2027-12-31
                  timezone: Europe/Berlin
                  priority: 3
                time_limit: 5m
                priority: -1
                except: [12-24]
                from: 2026-12-01
                requires: { external_power: true }
                tasks: { r: { kind: refresh } }

            """
        let app = try #require(try app(keys))
        #expect(
            app.transfers
                == TransferRules(
                    atOnce: 9, rate: 2 << 20,
                    hosts: ["a.example.com", "*.example.org", "2001:db8::1", "127.0.0.1"], maxSize: 1 << 30))
        let task = try #require(app.tasks.first { $0.kind == .transfers })
        #expect(task.requires.externalPower == true && task.requires.network == .unmetered)
        #expect(task.windows.map(\.text) == ["01:00-05:00"] && task.quiet.count == 1)
        #expect(task.timezone == "Europe/Berlin" && task.priority == 3 && task.timeLimit == .seconds(30))
        let other = try #require(app.tasks.first { $0.kind == .refresh })
        #expect(task.days?.except.isEmpty == true && task.days?.only?.texts == ["Mon-Fri"])
        #expect(task.days?.from == 20_788 && task.days?.until == 21_183)
        #expect(other.days?.only == nil && other.days?.except.texts == ["12-24"])
        #expect(other.windows.isEmpty && other.priority == -1 && other.requires.network == nil)
    }

    @Test func `is not there unless it is written`() throws {
        let app = try #require(try app("    tasks: { r: { kind: refresh } }\n"))
        #expect(app.transfers == nil && app.tasks.count == 1)
    }

    @Test func `makes a task whose name nobody else may have`() {
        let said = said("    tasks: { transfers: { kind: refresh } }\n    transfers: {}\n")
        #expect(
            said == [
                "jobs.yaml:7:5: error: the task 'com.example.A.transfers' appears twice; the first is on line 6"
            ])
    }

    @Test func `names each slip and its place`() {
        #expect(
            said("    transfers: { from: 2026-12-02, until: 2026-12-01 }\n")
                == ["jobs.yaml:6:5: error: the first day, 2026-12-02, is after the last, 2026-12-01"])
        #expect(
            said("    transfers: { at_once: 0 }\n")
                == ["jobs.yaml:6:27: error: `at_once` must be from 1 to 100, not '0'"])
        #expect(
            said("    transfers: { hosts: [https://a.example.com] }\n") == [
                "jobs.yaml:6:26: error: 'https://a.example.com' is not the name of a host"
            ])
        #expect(
            said("    transfers: { hosts: [] }\n") == [
                "jobs.yaml:6:25: error: `hosts` is empty, so the app could transfer with no host"
            ])
        #expect(
            said("    transfers: { idle_after: 1d }\n").first?.hasPrefix("jobs.yaml:6:18: error: ") == true)
        #expect(said("    transfers: true\n").first?.hasPrefix("jobs.yaml:6:16: error: `transfers`") == true)
    }

    @Test func `a host's name is one that a URL can have`() {
        for name in [
            "a", "localhost", "a-b.example.com", "*.example.com", "_x.example", "10.0.0.1", "::1", "fe80::1",
        ] {
            #expect(TransferRules.isHostPattern(name), "\(name)")
        }
        for name in [
            "", "*", "*.", "a.*", "a..b", ".a", "a.", "-a", "a-", "a b", "a/b", "http://a", "a:80", "ä.de",
            "*.::1", "[::1]", "a@b", String(repeating: "a", count: 64),
        ] {
            #expect(!TransferRules.isHostPattern(name), "\(name)")
        }
    }
}
