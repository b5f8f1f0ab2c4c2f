import LullModel
import TestSupport
import Testing

@testable import LullManifest

/// `on` of a task: its values, and each mistake with its place.
struct EventKeyTests {
    private func text(_ on: String, more: String = "") -> String {
        """
        version: 1
        apps:
          com.example.App:
            plugin: ColorFeed
            idle_after: never
            tasks:
              fetch: { kind: processing }
              load: { kind: processing, on: \(on) }
        \(more)
        """
    }

    private func triggers(_ on: String, more: String = "") -> [Trigger]? {
        let result = read(Array(text(on, more: more).utf8))
        return result.manifest?.tasks.first { $0.identifier.text.hasSuffix("load") }?.on
    }

    private func problem(_ on: String, more: String = "") -> (problem: ManifestProblem, column: Int)? {
        read(Array(text(on, more: more).utf8)).diagnostics.first { diagnostic in
            if case .event = diagnostic.problem { true } else { false }
        }.map { ($0.problem, $0.column) }
    }

    @Test func `one event or a list, as words and as mappings`() throws {
        let fetch = try TaskIdentifier.of("com.example.App.fetch")
        #expect(triggers("boot") == [.boot])
        #expect(
            triggers("[resume, network, external_power, login]")
                == [.resume, .network, .externalPower, .login(user: nil)])
        #expect(triggers("{ path: /srv/in/ }") == [.path(WatchedPath(path: "/srv/in", isFolder: true))])
        #expect(
            triggers("{ path: /srv/in/*.csv, settle: 5s }")
                == [.path(WatchedPath(path: "/srv/in", names: "*.csv", isFolder: true, settle: .seconds(5)))])
        #expect(triggers("{ after: fetch }") == [.after(fetch, .success)])
        #expect(triggers("{ after: { task: com.example.App.fetch, outcome: any } }") == [.after(fetch, .any)])
        let tidy = try TaskIdentifier.of("org.example.Other.tidy")
        let links = [ChainLink(task: fetch, outcome: .success), ChainLink(task: tidy, outcome: .any)]
        let other = """
              org.example.Other: { plugin: ColorFeed, tasks: { tidy: { kind: processing } } }
            """
        #expect(
            triggers("{ after: [fetch, { task: org.example.Other.tidy, outcome: any }] }", more: other)
                == [.afterAll(links)])
        #expect(triggers("{ after: [fetch] }") == [.after(fetch, .success)])
        #expect(triggers("{ device: /dev/sdb1 }") == [.device(DevicePattern(name: "sdb1"))])
        #expect(
            triggers("{ device: { subsystem: usb } }") == [.device(DevicePattern(subsystem: "usb"))])
        #expect(triggers("[{ login: alice }]") == [.login(user: "alice")])
    }

    @Test func `what is wrong is said with its remedy`() {
        #expect(problem("reboot")?.problem == .event(.notAnEvent("reboot", nearest: "boot")))
        #expect(problem("/srv/in")?.problem == .event(.notAnEvent("/srv/in", nearest: "{ path: /srv/in }")))
        #expect(problem("{ path: in }")?.problem == .event(.relativePath("in")))
        #expect(problem("{ path: /srv/*/in }")?.problem == .event(.patternInFolder("/srv/*/in")))
        #expect(problem("{ path: '/srv/[a' }")?.problem == .event(.badPattern("[a")))
        #expect(problem("{ path: /proc/mounts }")?.problem == .event(.silentFiles("/proc")))
        #expect(problem("{ path: / }")?.problem == .event(.folderOfAll))
        #expect(problem("{ settle: 1s, after: fetch }")?.problem == .event(.settleWithoutPath))
        #expect(problem("{ path: /srv/in, login: any }")?.problem == .event(.twoEvents(.path, .login)))
        #expect(problem("[boot, boot]")?.problem == .event(.twice))
        #expect(problem("[]")?.problem == .event(.none))
        #expect(problem("{ device: {} }")?.problem == .event(.anyDevice))
        #expect(
            problem("{ after: fetsh }")?.problem
                == .event(.unknownTask("com.example.App.fetsh", nearest: "com.example.App.fetch")))
        #expect(problem("{ after: 'batch.*' }") != nil)
        #expect(problem("{ after: [] }")?.problem == .event(.afterNone))
        #expect(problem("{ after: [fetch, { task: fetch, outcome: any }] }")?.problem == .event(.twice))
        #expect(problem("{ after: [fetch, load] }")?.problem == .event(.circle(["com.example.App.load"])))
    }

    @Test func `a circle after a long chain is told once, and of many wrong names the first get a guess`() {
        func follow(_ name: String, _ before: String) -> String {
            "      \(name): { kind: processing, on: { after: \(before) } }"
        }
        let chain = (0..<1000).map { follow("c\($0)", "c\($0 + 1)") } + [follow("c1000", "c999")]
        let wrong = (0..<150).map { follow("w\($0)", "c\($0)x") }
        let more = (chain + wrong).joined(separator: "\n")
        let found = read(Array(text("{ after: c0 }", more: more).utf8)).diagnostics
        let circles = found.filter { if case .event(.circle) = $0.problem { true } else { false } }
        let names = ["c999", "c1000"].map { "com.example.App." + $0 }
        #expect(circles.map(\.problem) == [.event(.circle(names))])
        let guesses = found.compactMap { found -> Bool? in
            if case .event(.unknownTask(_, let nearest)) = found.problem { nearest != nil } else { nil }
        }
        #expect(guesses == (0..<150).map { $0 < 100 })
        #expect(found.map(\.line) == found.map(\.line).sorted())
    }

    @Test func `a circle is refused with line and caret, once`() {
        let more = """
                  tidy: { kind: processing, on: { after: load } }
                  back: { kind: processing, on: [{ after: tidy }, { after: back }] }
            """
        let own = read(Array(text("{ after: load }").utf8)).diagnostics
        #expect(own.map(\.problem) == [.event(.circle(["com.example.App.load"]))])
        #expect(
            own.first?.rendered().contains("jobs.yaml:8:46: error: com.example.App.load would follow itself")
                == true)
        #expect(own.first?.rendered().contains("^") == true)
        let found = read(Array(text("{ after: { task: back, outcome: failure } }", more: more).utf8))
            .diagnostics
        #expect(found.count == 2, "\(found.map(\.message))")
        let names = ["load", "back", "tidy"].map { "com.example.App." + $0 }
        #expect(found.first?.problem == .event(.circle(names)))
    }

    @Test func `a continued task and a wildcard have no events`() {
        let continued = text("boot").replacing("load: { kind: processing", with: "load: { kind: continued")
        #expect(read(Array(continued.utf8)).diagnostics.map(\.problem).contains(.event(.continuedHasEvents)))
    }

    @Test func `each writes itself as the manifest has it`() {
        for on in [
            "{ path: /srv/in/*.csv, settle: 5s }", "{ path: /srv/in/ }",
            "{ device: { subsystem: block, name: sd* } }",
            "{ login: alice }", "boot",
        ] {
            #expect(triggers(on)?.map(\.text) == [on])
        }
    }
}
