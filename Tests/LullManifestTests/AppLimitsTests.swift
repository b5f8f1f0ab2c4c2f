import LullModel
import Testing

@testable import LullManifest

/// An app's limits and privileges, as the manifest states them.
struct AppLimitsTests {
    private static func text(defaults: String = "{}", _ app: String) -> [UInt8] {
        Array(
            """
            version: 1
            defaults: \(defaults)
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                \(app)
                tasks: { r: { kind: refresh } }
            """.utf8)
    }

    private func app(defaults: String = "{}", _ line: String = "nice: 0") throws -> App {
        let result = read(Self.text(defaults: defaults, line))
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map { $0.rendered() })")
        return try #require(result.manifest?.apps.first)
    }

    private func said(defaults: String = "{}", _ line: String) -> [String] {
        read(Self.text(defaults: defaults, line)).diagnostics.map {
            "\($0.line):\($0.column) \($0.severity.rawValue): \($0.message); \($0.fix)"
        }
    }

    @Test func `without a word an app writes only what is its own, and keeps no privileges`() throws {
        let app = try app()
        #expect(app.user == nil && app.limits == AppLimits())
        #expect(app.limits.write == .under([]) && app.limits.read == .all && app.limits.network)
        #expect(!app.limits.keepsPrivileges && app.limits.processes == 512)
        #expect(app.limits.disk == nil)
    }

    @Test func `each key is read`() throws {
        let app = try app(
            "limits: { memory: 64MiB, cpu: 250%, processes: 3, descriptors: 64, disk: 1GiB, read: [/var/log, /tmp], write: all, network: false, privileges: drop }"
        )
        var limits = AppLimits()
        limits.memory = 64 << 20
        limits.cpu = 2.5
        limits.processes = 3
        limits.descriptors = 64
        limits.disk = 1 << 30
        limits.read = .under(["/var/log", "/tmp"])
        limits.write = .all
        limits.network = false
        #expect(app.limits == limits)
    }

    private static func task(plugin: String = "Command", _ line: String) -> [UInt8] {
        Array(
            """
            version: 1
            apps:
              com.example.A:
                plugin: \(plugin)
                idle_after: never
                tasks: { r: { kind: processing, repeat: 1d, settings: { run: "true" }, \(line) } }
            """.utf8)
    }

    @Test func `a task may limit what one run uses, and nothing else`() throws {
        let result = read(Self.task("limits: { memory: 64MiB, cpu: 50%, processes: 9 }, ionice: idle"))
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map { $0.rendered() })")
        let task = try #require(result.manifest?.tasks.first)
        var limits = RunLimits()
        (limits.memory, limits.cpu, limits.processes) = (64 << 20, 0.5, 9)
        #expect(task.limits == limits && task.ionice == .idle)
        let app = AppLimits().narrowed(to: limits)
        #expect(app.memory == 64 << 20 && app.network && AppLimits().narrowed(to: nil) == AppLimits())
        for line in ["limits: { write: all }", "limits: { memory: 1MiB }", "user: nobody", "ionice: often"] {
            #expect(read(Self.task(line)).manifest == nil, "\(line)")
        }
        let shared = read(Self.task(plugin: "ColorFeed", "limits: { memory: 64MiB }"))
        #expect(shared.manifest != nil)
        #expect(shared.diagnostics.map(\.message).contains { $0.contains("a worker of its own") })
    }

    @Test func `limits and user are inherited, key by key`() throws {
        let defaults = "{ user: feed, limits: { memory: 64MiB, network: false } }"
        let app = try app(defaults: defaults, "limits: { memory: 128MiB }")
        #expect(app.user == "feed" && app.limits.memory == 128 << 20 && !app.limits.network)
        #expect(try self.app(defaults: defaults, "user: root").user == "root")
        #expect(try self.app(defaults: defaults, "limits: { network: true }").limits.network)
    }

    @Test func `a relative path starts at the manifest's folder`() throws {
        #expect(try app("limits: { write: [mine.so] }").limits.write == .under(["/home/me/mine.so"]))
    }

    @Test func `all privileges can't be kept together with what they would undo`() throws {
        #expect(try app("limits: { privileges: keep, write: all, memory: 1GiB }").limits.keepsPrivileges)
        #expect(
            said("limits: { privileges: keep, read: [/tmp], write: [/tmp], network: false }") == [
                "7:33 error: `read` can't limit an app with `privileges: keep`; take `read` out, or `privileges: keep`",
                "7:47 error: `write` can't limit an app with `privileges: keep`; take `write` out, or `privileges: keep`",
                "7:62 error: `network` can't limit an app with `privileges: keep`; take `network` out, or `privileges: keep`",
            ])
        // Also where one of them stands in `defaults`.
        #expect(
            said(defaults: "{ limits: { network: false } }", "limits: { privileges: keep }") == [
                "7:5 error: `network` can't limit an app with `privileges: keep`; take `network` out, or `privileges: keep`"
            ])
    }

    @Test(
        arguments: [
            (
                "limits: { memory: 512 }",
                "`memory` takes a size, not '512'; write, for example, `memory: 512MiB`"
            ),
            (
                "limits: { memory: 1MiB }",
                "`memory` must be from 16MiB to 1048576GiB, not '1MiB'; write a value from 16MiB to 1048576GiB, such as `memory: 512MiB`"
            ),
            (
                "limits: { disk: 1GB }",
                "`disk` takes a size, not '1GB'; write `disk: 1GiB`"
            ),
            ("limits: { cpu: 0.8 }", "`cpu` takes a share in per cent, not '0.8'; write `cpu: 80%`"),
            (
                "limits: { write: /tmp }",
                "`write` takes a list of paths, or `all`, not '/tmp'; write `write: [/tmp]`"
            ),
            (
                "limits: { read: { a: b } }",
                "`read` takes a list of paths, or `all`, not a mapping; write, for example, `read: [/srv/feed]`"
            ),
            (
                "limits: { read: [[]] }",
                "`read` takes text, not a list; write, for example, `read: [/srv/feed]`"
            ),
            (
                "limits: { network: any }",
                "`network` takes true or false, not 'any'; write `network: true` or `network: false`"
            ),
            (
                "limits: { privileges: yes }",
                "`privileges` must be drop or keep, not 'yes'; write `privileges: drop` or `privileges: keep`"
            ),
            ("limits: { memroy: 1GiB }", "unknown key 'memroy' in `limits`; did you mean `memory`?"),
            (
                "limits: 5",
                "`limits` takes keys and values, not '5'; write, for example, `limits: { memory: 1GiB }`"
            ),
            ("user: \"a b\"", "'a b' is not a user's name; write a user's name from `getent passwd`"),
        ])
    func `what is wrong is named with a remedy`(line: String, words: String) {
        let said = said(line)
        #expect(said.count == 1 && said.first?.hasSuffix("error: " + words) == true, "\(said)")
    }

    @Test func `a path at which nothing is gets a warning, and is kept`() throws {
        let text = Self.text("limits: { write: [/srv/new] }")
        let result = read(text)
        #expect(
            result.diagnostics.map(\.message) == [
                "there is nothing at /srv/new: the app will be started without access to it"
            ])
        #expect(result.manifest?.apps.first?.limits.write == .under(["/srv/new"]))
    }
}
