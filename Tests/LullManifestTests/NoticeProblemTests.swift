import LullModel
import Testing

@testable import LullManifest

/// The targets of `notify` can be reached, and each is notified of something.
struct NoticeProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    @Test func `a task tells whom it names, else whom its app names, else whom the defaults name`() throws {
        let text = """
            version: 1
            defaults: { notify: [{ mail: ops@example.org }] }
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                tasks:
                  a: { kind: refresh }
                  b: { kind: refresh, notify: [] }
                  c: { kind: refresh, notify: [{ command: [bin/page, -x], on: failed }, { journal: true, on: [output] }] }
              com.example.B:
                plugin: ColorFeed
                usage: manual
                notify: [{ webhook: "https://h.example/s3cr3t", on: [idle, overdue] }]
                tasks: { a: { kind: refresh } }
            """
        let manifest = try #require(read(Array(text.utf8)).manifest)
        let mail = NoticeSink(.mail("ops@example.org"))
        let hook = NoticeSink(.webhook("https://h.example/s3cr3t"), on: [.idle, .overdue])
        #expect(manifest.apps.map(\.notify) == [[mail], [hook]])
        #expect(manifest.tasks.map(\.notify.count) == [1, 0, 2, 1])
        #expect(manifest.tasks[0].notify == [mail])
        #expect(mail.on == [.failed, .overdue, .idle, .recovered, .reported, .notification, .manifest])
        guard case .command(let words) = manifest.tasks[2].notify[0].target else {
            Issue.record("the first is a command")
            return
        }
        #expect(words[0].hasPrefix("/") && words[0].hasSuffix("/bin/page") && words.dropFirst() == ["-x"])
        #expect(manifest.tasks[2].notify[0].on == [.failed])
        #expect(manifest.tasks[3].notify == [hook])
    }

    @Test func `an app may notify where it says so, and the desktop is a sink`() throws {
        let text = """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                notifications: true
                notify: [{ desktop: true, on: [failed, notification] }]
                tasks: { a: { kind: refresh } }
              com.example.B:
                plugin: ColorFeed
                usage: manual
                tasks: { a: { kind: refresh } }
            """
        let manifest = try #require(read(Array(text.utf8)).manifest)
        #expect(manifest.apps.map(\.notifications) == [true, false])
        #expect(manifest.apps[0].notify == [NoticeSink(.desktop, on: [.failed, .notification])])
    }

    @Test(arguments: [
        "a@b\\nBcc: c@d", "a@b, c@d", "-oQ/tmp", "", "a b@c", "ä@example.org", "<a@b>", "a@b\\tx",
    ])
    func `an address that could be more than one is none`(address: String) {
        let text = """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                notify: [{ mail: "\(address)" }]
                tasks: { a: { kind: refresh } }
            """
        let problems = read(Array(text.utf8)).diagnostics
        #expect(problems.map(\.message) == ["mail can't be sent to this address"])
    }

    @Test func `no sentence about a webhook quotes it`() {
        let text = """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                notify: [{ webhook: "ftp://h.example/s3cr3t" }, { webhook: [s3cr3t] }]
                tasks: { a: { kind: refresh } }
            """
        let problems = read(Array(text.utf8)).diagnostics
        #expect(problems.count == 2)
        #expect(problems.allSatisfy { !$0.logged.contains("s3cr3t") })
    }

    static let cases: [Case] = [
        Case(
            "an address alone",
            app: """
                notify: ops@example.org
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:13: error: `notify` must be a list of sinks, not 'ops@example.org'
                    6 |     notify: ops@example.org
                      |             ^~~~~~~~~~~~~~~
                help: write `notify: [{ mail: ops@example.org, on: [failed, overdue] }]`
                """),
        Case(
            "two in one entry",
            app: """
                notify: [{ mail: root, journal: true }]
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:28: error: an entry of `notify` has one sink, but this one has 'mail' and 'journal'
                    6 |     notify: [{ mail: root, journal: true }]
                      |                            ^~~~~~~
                help: make each an entry of the list, with a `-` of its own
                """),
        Case(
            "nobody in particular",
            app: """
                notify: [{ on: [failed] }]
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:14: error: an entry of `notify` needs one of the keys mail, command, webhook, journal or desktop
                    6 |     notify: [{ on: [failed] }]
                      |              ^~~~~~~~~~~~~~~~
                help: write `notify: [{ mail: ops@example.org, on: [failed, overdue] }]`
                """),
        Case(
            "an occurrence that is none",
            app: """
                notify: [{ mail: root, on: [fail] }]
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:33: error: `on` must be failed, overdue, idle, recovered, output, reported, notification or manifest, not 'fail'
                    6 |     notify: [{ mail: root, on: [fail] }]
                      |                                 ^~~~
                help: write `on: failed`, `on: overdue`, `on: idle`, `on: recovered`, `on: output`, `on: reported`, `on: notification` or `on: manifest`
                """),
        Case(
            "one twice",
            app: """
                notify: [{ mail: root }, { mail: root, on: [output] }]
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:30: error: this sink appears twice in the list
                    6 |     notify: [{ mail: root }, { mail: root, on: [output] }]
                      |                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: take it out, or give both `on` lists to one
                """),
        Case(
            "a program that is not there",
            app: """
                notify: [{ command: [/nope/page] }]
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:26: warning: there is no program '/nope/page', so this sink will get no notices
                    6 |     notify: [{ command: [/nope/page] }]
                      |                          ^~~~~~~~~~
                help: correct the path, or install it
                """),
    ]
}
