@testable import LullManifest

extension Remedy {
    private static func told(_ slip: String, _ write: String) -> Remedy {
        Remedy(app: "notify: \(slip)\ntasks: { r: { kind: refresh } }", "notify: \(slip)", "notify: \(write)")
    }

    private static func broker(_ slip: String, _ write: String) -> Remedy {
        Remedy(
            app: "push: { mqtt: \(slip) }\ntasks: { r: { kind: refresh } }", "mqtt: \(slip)", "mqtt: \(write)"
        )
    }

    /// A file for a secret that others can reach.
    private static func secret(_ open: (inout FileEntry) -> Void) -> Remedy {
        let text = "push: { secret_file: /nope/secret }"
        let file = FileEntry(.file, realPath: "/nope/secret")
        var reached = file
        open(&reached)
        return Remedy(app: text + "\ntasks: { r: { kind: refresh } }", text, text).prose.with {
            $0.before.entries["/nope/secret"] = reached
            $0.after.entries["/nope/secret"] = file
        }
    }

    private static let wholeList = "[{ mail: ops@example.org, on: [failed, overdue] }]"

    static let notices: [Remedy] = [
        Remedy(
            app: "push: { quota: often }\ntasks: { r: { kind: refresh } }", "push: { quota: often }",
            "push: { quota: 3/1h }"),
        Remedy(
            app: "push: { secret_file: /nope/secret }\ntasks: { r: { kind: refresh } }",
            "push: { secret_file: /nope/secret }", "push: { secret_file: /nope/secret }"
        ).prose.with { $0.after.entries["/nope/secret"] = FileEntry(.file, realPath: "/nope/secret") },
        secret { $0.stranger = .everybody },
        secret { $0.breaches = [Breach(path: "/nope", stranger: .group("staff"))] },
        secret { $0.isReadableByAll = true },
        broker(
            "{ broker: broker.example.org, topics: [a] }",
            "{ broker: mqtts://broker.example.org, topics: [a] }"),
        broker("{ broker: mqtt://b, topics: [a+] }", "{ broker: mqtt://b, topics: [home/+/door, mail/#] }")
            .prose,
        broker(
            "{ broker: mqtt://b, topics: [a], password_file: /nope/secret }",
            "{ broker: mqtt://b, topics: [a], password_file: /nope/secret }"
        ).prose.with { $0.after.entries["/nope/secret"] = FileEntry(.file, realPath: "/nope/secret") },
        Remedy(
            app: "transfers: { hosts: [https://a] }\ntasks: { r: { kind: refresh } }", "hosts: [https://a]",
            "hosts: [downloads.example.org, \"*.example.net\"]"),
        Remedy(
            app: "transfers: { hosts: [] }\ntasks: { r: { kind: refresh } }", "{ hosts: [] }", "{}"
        ).prose,
        told("ops@example.org", wholeList),
        told("[ ops ]", wholeList),
        told("[{ on: [failed] }]", wholeList),
        told("[{ mail: root, journal: true }]", "[{ mail: root }, { journal: true }]").prose,
        told("[{ mail: root }, { mail: root, on: [output] }]", "[{ mail: root }]").prose,
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: failed }]"),
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: overdue }]"),
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: idle }]"),
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: recovered }]"),
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: output }]"),
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: reported }]"),
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: notification }]"),
        told("[{ mail: root, on: [fail] }]", "[{ mail: root, on: manifest }]"),
        told("[{ desktop: false }]", "[{ desktop: true }]"),
        told("[{ mail: root, on: [] }]", "[{ mail: root, on: [failed] }]"),
        told("[{ mail: root, on: [] }]", "[{ mail: root }]").prose,
        told("[{ mail: '-t' }]", "[{ mail: ops@example.org }]"),
        told("[{ mail: '-t' }]", "[{ mail: root }]").prose,
        told("[{ command: [] }]", "[{ command: [/usr/local/bin/page, --urgent] }]").leaving(
            "there is no program"),
        told("[{ command: [[a]] }]", "[{ command: [/usr/local/bin/page, --urgent] }]")
            .leaving("there is no program"),
        told("[{ command: [/nope/page] }]", "[{ command: [/nope/page] }]").prose.with {
            $0.after.entries["/nope/page"] = FileEntry(.file, realPath: "/nope/page")
        },
        told("[{ webhook: example.org }]", "[{ webhook: https://example.org/hook }]").prose,
        told("[{ journal: false }]", "[{ journal: true }]"),
        told("[{ journal: false }]", "[]").prose,
        Remedy(
            task: "kind: refresh\nheartbeat: { url: hc.example }", "hc.example", "\"https://hc.example/1\""
        ).prose,
        Remedy(
            task: "kind: processing\nrepeat: 1d\nexpect: { at_least: often }", "expect: { at_least: often }",
            "expect: { at_least: 1/48h }"),
        Remedy(
            task: "kind: processing\nrepeat: 1m\nexpect: { at_least: 5000/8d }", "at_least: 5000/8d",
            "at_least: 1/1h"),
    ]

    private static let log = "[ { log: /var/log/access.log, time: common } ]"
    private static func times(_ slip: String, _ write: String) -> Remedy {
        Remedy(
            usage: "[ { log: /var/log/access.log, time: \(slip) } ]", "time: \(slip)", "time: \(write)")
    }
    private static func match(_ slip: String, _ write: String) -> Remedy {
        Remedy(usage: "[ { log: /var/log/access.log, time: common, match: '\(slip)' } ]", slip, write)
    }

    static let usage: [Remedy] = [
        Remedy(usage: "automatic", "usage: automatic", "usage: manual"),
        Remedy(
            usage: "automatic", "usage: automatic",
            "usage:\n      - { log: /var/log/nginx/access.log, time: common }"
        ).leaving("there is no log"),
        Remedy(usage: "[]", "usage: []", "usage: manual"),
        Remedy(
            usage: "[]", "usage: []", "usage:\n      - { log: /var/log/nginx/access.log, time: common }"
        ).leaving("there is no log"),
        Remedy(usage: "[ match: x ]", "match: x", "login: me").prose,
        Remedy(usage: "[ { log: /var/log/access.log } ]", "access.log }", "access.log, time: common }"),
        Remedy(usage: "[ { login: any, access: /tmp } ]", "any, ", "any }, { ").prose,
        Remedy(usage: "[ { login: any }, { login: any } ]", ", { login: any }", "").prose,
        Remedy(usage: "[ { login: any, time: common } ]", ", time: common", "").prose,
        Remedy(
            usage: "[ { journal: { unit: cron }, match: x } ]", "{ unit: cron }, match: x",
            "{ unit: cron, match: 'opened' }"
        ).prose,
        Remedy(usage: "[ { log: /var/log/nope.log, time: common } ]", "nope.log", "access.log").prose,
        Remedy(usage: "[ { log: /var/log/secret.log, time: common } ]", "x", "x").prose.with(readable),
        Remedy(usage: "[ { log: /var/log, time: common } ]", "/var/log,", "/var/log/access.log,").prose,
        Remedy(usage: "[ access: /srv/nope ]", "/srv/nope", "/tmp").prose,
        Remedy(usage: "[ access: /var/log/secret.log ]", "x", "x").prose.with(readable),
        Remedy(usage: "[ login: '../etc' ]", "login: '../etc'", "login: any"),
        Remedy(usage: "[ login: [ me ] ]", "login: [ me ]", "login: any"),
        Remedy(app: "user: '../etc'\ntasks: { r: { kind: refresh } }", "user: '../etc'", "user: root").prose,
        Remedy(
            usage: "[ journal: nginx.service ]", "journal: nginx.service", "journal: { unit: nginx.service }"),
        Remedy(usage: "[ journal: { match: x } ]", "match: x", "match: x, unit: nginx.service"),
        Remedy(usage: "[ journal: { unit: --flush } ]", "unit: --flush", "unit: nginx.service"),
        match("GET (/feed", "GET \\(/feed").prose,
        match("((a{1,200}){1,200}){1,200}", "a").prose,
        match(String(repeating: "a", count: 9_000), "a").prose,
        times("rfc3393", "rfc3339"),
        times("ISO", "\"%Y-%m-%d %H:%M:%S\""),
        times("'%Y-%Q'", "'%Y-%m-%d %H:%M'").prose,
        times("'%H:%M:%S'", "'%d %b %H:%M:%S'"),
        times("'%H:%M:%S'", "'%d %m %H:%M:%S'"),
        times("'%H:%M:%S'", "'%Y %j %H:%M:%S'"),
        times("'%H:%M:%S'", "'%s'"),
        times("'%d %b'", "'%d %b %H'"),
        times("'%d %b'", "'%d %b %I %p'"),
    ]

    private static func readable(_ remedy: inout Remedy) {
        remedy.after.entries["/var/log/secret.log"] = FileEntry(.file, realPath: "/var/log/secret.log")
    }

    /// With the remedy no other user can change the file or folder at `path`.
    private static func closed(_ remedy: Remedy, _ path: String) -> Remedy {
        remedy.prose.with {
            let entry = $0.before.entries[path]
            $0.after.entries[path] = entry.map { FileEntry($0.kind, realPath: $0.realPath) }
        }
    }

    static let plugins: [Remedy] = [
        Remedy(plugin: "Nope", "ColorFeed").prose,
        Remedy(plugin: "ColorFed", "ColorFeed"),
        Remedy(plugin: "Shell", "Command").with {
            let file = FileEntry(.file, realPath: "/usr/lib/lull/libCommand.so")
            $0.before.entries["/usr/lib/lull/libCommand.so"] = file
            $0.after.entries["/usr/lib/lull/libCommand.so"] = file
        },
        Remedy(plugin: "mine.so", "./mine.so"),
        Remedy(plugin: "build/libX.so", "./mine.so").prose,
        Remedy(plugin: "~/mine.so", "/home/me/mine.so").prose,
        Remedy(plugin: "Folder", "/usr/lib/lull/libColorFeed.so").prose,
        Remedy(plugin: "Pipe", "/usr/lib/lull/libColorFeed.so").prose,
        closed(Remedy(plugin: "Open", "Open"), "/usr/lib/lull/libOpen.so"),
        closed(Remedy(plugin: "Shared", "Shared"), "/usr/lib/lull/libShared.so"),
        closed(Remedy(plugin: "Secret", "Secret"), "/usr/lib/lull/libSecret.so"),
        closed(Remedy(plugin: "Link", "Link"), "/srv/open"),
        Remedy(plugin: "Hers", "Hers\n    user: feed").prose,
        Remedy(plugin: "Hers", "./mine.so").prose,
        Remedy(plugin: "/tmp/x.so", "./mine.so").prose,
    ]
}
