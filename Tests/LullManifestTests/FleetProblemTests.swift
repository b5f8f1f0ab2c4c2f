import Testing

@testable import LullManifest

/// The diagnostics of faulty fleets, word by word.
struct FleetProblemTests {
    @Test(arguments: cases)
    func `each is told with its place and its remedy`(_ item: Case) { item.check() }

    /// A fleet of one line, and an app behind it.
    private static func fleet(_ name: String, _ keys: String, says: String = "") -> Case {
        Case(
            name,
            "version: 1\nfleet: { \(keys) }\napps:\n  com.example.A: { plugin: ColorFeed, usage: manual, "
                + "tasks: { r: { kind: refresh } } }\n", says: says)
    }

    /// A task on line 4 of a manifest with a fleet.
    private static func task(_ name: String, _ keys: String, app: String = "usage: manual", says: String = "")
        -> Case
    {
        Case(
            name,
            "version: 1\nfleet: { database: service=lull }\napps: { com.example.A: { plugin: ColorFeed, \(app), tasks: { r:\n"
                + "  { \(keys) } } } }\n", says: says)
    }

    private static let password = """
        error: `database` contains a password, and everybody who can read this file can see it
        """
    private static let keep = """
        help: take it out, and keep it in the systemd credential lull-fleet, in a PGPASSFILE or in a service file
        """
    private static let connect = """
        help: write `database: host=/run/postgresql dbname=lull`, or `database: postgresql://lull@db.example.org/lull`
        """

    static let cases: [Case] = [
        fleet("a service", "database: service=lull"),
        fleet("a socket", "database: 'host=/run/postgresql'"),
        fleet(
            "a password", "database: \"host=db PASSWORD = 'x'\"",
            says: """
                jobs.yaml:2:20: \(password)
                    2 | fleet: { database: "host=db PASSWORD = 'x'" }
                      |                    ^~~~~~~~~~~~~~~~~~~~~~~~
                \(keep)
                """),
        fleet(
            "a password in a URI", "database: 'postgresql://lull:x@db/lull'",
            says: """
                jobs.yaml:2:20: \(password)
                    2 | fleet: { database: 'postgresql://lull:x@db/lull' }
                      |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                \(keep)
                """),
        fleet(
            "a password in a URI, percent-encoded", "database: 'postgresql://db/lull?pass%77ord=x'",
            says: """
                jobs.yaml:2:20: \(password)
                    2 | fleet: { database: 'postgresql://db/lull?pass%77ord=x' }
                      |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                \(keep)
                """),
        fleet(
            "the name of a database alone", "database: lull",
            says: """
                jobs.yaml:2:20: error: `database` is a URI or a list of KEY=VALUE, but 'lull' has no `=` after it
                    2 | fleet: { database: lull }
                      |                    ^~~~
                \(connect)
                """),
        fleet(
            "nothing", "database: ' '",
            says: """
                jobs.yaml:2:20: error: `database` is empty: it says where the fleet's PostgreSQL is
                    2 | fleet: { database: ' ' }
                      |                    ^~~
                \(connect)
                """),
        fleet(
            "an open quote", "database: \"host='db\"",
            says: """
                jobs.yaml:2:20: error: `database` opens a quote with ' and does not close it
                    2 | fleet: { database: "host='db" }
                      |                    ^~~~~~~~~~
                \(connect)
                """),
        fleet(
            "a server that is not checked", "database: host=db.example.org sslmode=require",
            says: """
                jobs.yaml:2:20: warning: `database` is across a network, and with `sslmode=require` any server can pretend to be it
                    2 | fleet: { database: host=db.example.org sslmode=require }
                      |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: write `sslmode=verify-full`
                """),
        fleet(
            "no database", "name: lull",
            says: """
                jobs.yaml:2:8: error: `fleet` needs the key 'database'
                    2 | fleet: { name: lull }
                      |        ^~~~~~~~~~~~~~
                help: write `database: service=lull`
                """),
        fleet(
            "a name that is no schema's", "database: service=lull, name: My-Fleet",
            says: """
                jobs.yaml:2:40: error: a fleet's name is at most 40 lower-case letters, digits and '_', and begins with a letter; this is 'My-Fleet'
                    2 | fleet: { database: service=lull, name: My-Fleet }
                      |                                        ^~~~~~~~
                help: write a short name, such as `name: lull`
                """),
        fleet(
            "no name", "database: service=lull, name:",
            says: """
                jobs.yaml:2:34: error: the key 'name' has no value
                    2 | fleet: { database: service=lull, name: }
                      |                                  ^~~~
                help: write, for example, `name: lull`, or take the key out
                """),
        fleet(
            "labels", "database: service=lull, labels: { -a: 1, b: [], c: '', d: e, d: f }",
            says: """
                jobs.yaml:2:44: error: a label's name is at most 63 letters, digits, '-', '_', '.' and '/', and begins with a letter or digit; this is '-a'
                    2 | fleet: { database: service=lull, labels: { -a: 1, b: [], c: '', d: e, d: f } }
                      |                                            ^~
                help: write labels such as `labels: { zone: a }`
                jobs.yaml:2:51: error: the label 'b' needs a value: text of at most 63 bytes
                    2 | fleet: { database: service=lull, labels: { -a: 1, b: [], c: '', d: e, d: f } }
                      |                                                   ^
                help: write labels such as `labels: { zone: a }`
                jobs.yaml:2:58: error: the label 'c' needs a value: text of at most 63 bytes
                    2 | fleet: { database: service=lull, labels: { -a: 1, b: [], c: '', d: e, d: f } }
                      |                                                          ^
                help: write labels such as `labels: { zone: a }`
                jobs.yaml:2:71: error: the key 'd' appears twice; the first is on line 2
                    2 | fleet: { database: service=lull, labels: { -a: 1, b: [], c: '', d: e, d: f } }
                      |                                                                       ^
                help: keep one of the two
                """),
        Case(
            "any host without a fleet", task: "kind: processing\nrepeat: 1d\nscope: any_host",
            says: """
                jobs.yaml:10:9: error: `scope: any_host` needs a fleet, and this manifest has no `fleet`
                   10 |         scope: any_host
                      |         ^~~~~
                help: write `fleet: { database: service=lull }` at the top, or take the key out
                """),
        Case(
            "the other keys without a fleet",
            task: "kind: processing\nhosts: { labels: { a: b } }\nconcurrency: { fleet: 2 }",
            says: """
                jobs.yaml:9:9: error: `hosts` needs a fleet, and this manifest has no `fleet`
                    9 |         hosts: { labels: { a: b } }
                      |         ^~~~~
                help: write `fleet: { database: service=lull }` at the top, or take the key out
                jobs.yaml:10:24: error: `concurrency: { fleet: … }` needs a fleet, and this manifest has no `fleet`
                   10 |         concurrency: { fleet: 2 }
                      |                        ^~~~~
                help: write `fleet: { database: service=lull }` at the top, or take the key out
                """),
        Case("each host without a fleet", task: "kind: processing\nscope: each_host\nhosts: {}"),
        Case(
            "a lease without a fleet", task: "kind: processing\nlease: 10m",
            says: """
                jobs.yaml:9:9: error: `lease` needs a fleet, and this manifest has no `fleet`
                    9 |         lease: 10m
                      |         ^~~~~
                help: write `fleet: { database: service=lull }` at the top, or take the key out
                """),
        task(
            "a lease of a run that needs none", "kind: processing, repeat: 1d, lease: 10m",
            says: """
                jobs.yaml:4:35: error: `lease` is for runs that hosts ask the fleet for, but each host runs this task without asking
                    4 |   { kind: processing, repeat: 1d, lease: 10m } } } }
                      |                                   ^~~~~
                help: add `scope: any_host`, or take `lease` out
                """),
        task(
            "a lease of what nobody's clock asks for", "kind: processing, lease: 10m",
            says: """
                jobs.yaml:4:23: error: `lease` needs `at` or `repeat`, and this task has neither
                    4 |   { kind: processing, lease: 10m } } } }
                      |                       ^~~~~
                help: write `repeat: 1d` or `at: daily 02:30`, or take it out
                """),
        task(
            "a lease shorter than a minute", "kind: processing, repeat: 1d, scope: any_host, lease: 30s",
            says: """
                jobs.yaml:4:59: error: `lease` must be from 1m to 1d, not '30s'
                    4 |   { kind: processing, repeat: 1d, scope: any_host, lease: 30s } } } }
                      |                                                           ^~~
                help: write a value from 1m to 1d, such as `lease: 10m`
                """),
        task(
            "a lease longer than a day", "kind: processing, repeat: 1d, scope: any_host, lease: 25h",
            says: """
                jobs.yaml:4:59: error: `lease` must be from 1m to 1d, not '25h'
                    4 |   { kind: processing, repeat: 1d, scope: any_host, lease: 25h } } } }
                      |                                                           ^~~
                help: write a value from 1m to 1d, such as `lease: 10m`
                """),
        task(
            "any host of what nobody's clock asks for", "kind: processing, scope: any_host",
            says: """
                jobs.yaml:4:23: error: `scope: any_host` needs `at` or `repeat`, and this task has neither
                    4 |   { kind: processing, scope: any_host } } } }
                      |                       ^~~~~
                help: write `repeat: 1d` or `at: daily 02:30`, or take it out
                """),
        task(
            "limits of the fleet for what nobody's clock asks for",
            "kind: processing, hosts: { labels: { a: b }, spread: a }, concurrency: { fleet: 2 }",
            says: """
                jobs.yaml:4:23: error: `spread` of `hosts` needs `at` or `repeat`, and this task has neither
                    4 |   { kind: processing, hosts: { labels: { a: b }, spread: a }, concurrency: { fleet: 2 } } } } }
                      |                       ^~~~~
                help: write `repeat: 1d` or `at: daily 02:30`, or take it out
                jobs.yaml:4:58: warning: this host has no label 'a' under `fleet`, so its runs of this task keep no other host from running it
                    4 |   { kind: processing, hosts: { labels: { a: b }, spread: a }, concurrency: { fleet: 2 } } } } }
                      |                                                          ^
                help: add it to `labels` of `fleet`, such as `a: a`
                jobs.yaml:4:78: error: `concurrency: { fleet: … }` needs `at` or `repeat`, and this task has neither
                    4 |   { kind: processing, hosts: { labels: { a: b }, spread: a }, concurrency: { fleet: 2 } } } } }
                      |                                                                              ^~~~~
                help: write `repeat: 1d` or `at: daily 02:30`, or take it out
                """),
        task(
            "any host of a continued task", "kind: continued, scope: any_host, concurrency: { fleet: 2 }",
            says: """
                jobs.yaml:4:22: error: a continued task runs on the host where a person begins it: `scope: any_host` is not for it
                    4 |   { kind: continued, scope: any_host, concurrency: { fleet: 2 } } } } }
                      |                      ^~~~~
                help: take it out of this task, or write `kind: processing`
                jobs.yaml:4:54: error: a continued task runs on the host where a person begins it: `concurrency: { fleet: … }` is not for it
                    4 |   { kind: continued, scope: any_host, concurrency: { fleet: 2 } } } } }
                      |                                                      ^~~~~
                help: take it out of this task, or write `kind: processing`
                """),
        task(
            "a preference among each", "kind: processing, repeat: 1d, prefer: idlest",
            says: """
                jobs.yaml:4:35: error: `prefer` chooses among hosts, but each host runs this task itself
                    4 |   { kind: processing, repeat: 1d, prefer: idlest } } } }
                      |                                   ^~~~~~
                help: add `scope: any_host`, or take `prefer` out
                """),
        task(
            "a boot of any host", "kind: processing, at: '@reboot', timezone: UTC, scope: any_host",
            says: """
                jobs.yaml:4:53: error: each host has its own `@reboot`, but `scope: any_host` needs times of the whole fleet
                    4 |   { kind: processing, at: '@reboot', timezone: UTC, scope: any_host } } } }
                      |                                                     ^~~~~
                help: take `@reboot` out, or write `scope: each_host` in this task
                """),
        task(
            "the zone of each host", "kind: processing, at: daily 02:30, scope: any_host",
            says: """
                jobs.yaml:4:23: warning: `at` without `timezone` means each host's own zone: hosts in different zones run this task at different times
                    4 |   { kind: processing, at: daily 02:30, scope: any_host } } } }
                      |                       ^~
                help: write `timezone: UTC`, or the zone that you mean
                """),
        task(
            "the freshest of no uses", "kind: processing, repeat: 1d, scope: any_host, prefer: freshest",
            app: "idle_after: never",
            says: """
                jobs.yaml:4:60: warning: `freshest` needs to know when this app is used, but the app has no source of uses
                    4 |   { kind: processing, repeat: 1d, scope: any_host, prefer: freshest } } } }
                      |                                                            ^~~~~~~~
                help: write `prefer: idlest`, or name a source of uses for the app
                """),
        task(
            "a wildcard of any host", "kind: continued, scope: any_host", app: "usage: manual",
            says: """
                jobs.yaml:4:22: error: a continued task runs on the host where a person begins it: `scope: any_host` is not for it
                    4 |   { kind: continued, scope: any_host } } } }
                      |                      ^~~~~
                help: take it out of this task, or write `kind: processing`
                """),
        task(
            "counts", "kind: refresh, repeat: 1d, concurrency: { fleet: 0, host: '2' }",
            says: """
                jobs.yaml:4:54: error: `fleet` of a task's `concurrency` must be a whole number from 1 to 100000
                    4 |   { kind: refresh, repeat: 1d, concurrency: { fleet: 0, host: '2' } } } } }
                      |                                                      ^
                help: write a number, such as `fleet: 2`
                jobs.yaml:4:63: error: `host` of a task's `concurrency` must be a whole number from 1 to 1000
                    4 |   { kind: refresh, repeat: 1d, concurrency: { fleet: 0, host: '2' } } } } }
                      |                                                               ^~~
                help: write a number, such as `host: 2`
                """),
        task(
            "a spread over several labels", "kind: processing, hosts: { spread: [zone, rack] }",
            says: """
                jobs.yaml:4:40: error: `spread` of `hosts` must be the name of one label
                    4 |   { kind: processing, hosts: { spread: [zone, rack] } } } } }
                      |                                        ^~~~~~~~~~~~
                help: write one, such as `spread: zone`
                """),
        task(
            "a spread over a label that this host has not",
            "kind: refresh, repeat: 1d, hosts: { spread: zone }",
            says: """
                jobs.yaml:4:49: warning: this host has no label 'zone' under `fleet`, so its runs of this task keep no other host from running it
                    4 |   { kind: refresh, repeat: 1d, hosts: { spread: zone } } } } }
                      |                                                 ^~~~
                help: add it to `labels` of `fleet`, such as `zone: a`
                """),
        task(
            "a list of hosts", "kind: processing, hosts: [web1, web2]",
            says: """
                jobs.yaml:4:30: error: `hosts` takes keys and values, not a list
                    4 |   { kind: processing, hosts: [web1, web2] } } } }
                      |                              ^~~~~~~~~~~~
                help: write `hosts: { labels: { role: web } }`
                """),
        task(
            "hosts of nothing", "kind: processing, hosts:",
            says: """
                jobs.yaml:4:23: error: the key 'hosts' has no value
                    4 |   { kind: processing, hosts: } } } }
                      |                       ^~~~~
                help: write, for example, `hosts: { labels: { role: web } }`, or take the key out
                """),
    ]
}
