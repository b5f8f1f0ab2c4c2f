@testable import LullManifest

extension Remedy {
    /// The keys of `fleet`, and their replacement.
    private static func fleet(_ slip: String, _ write: String) -> Remedy {
        let app =
            "\napps:\n  com.example.A:\n    plugin: ColorFeed\n    usage: manual\n    tasks: { r: { kind: refresh } }\n"
        return Remedy("version: 1\nfleet: { \(slip) }" + app, "{ \(slip) }", "{ \(write) }")
    }

    /// The same for a task of a fleet.
    private static func member(_ slip: String, _ write: String, usage: String = "usage: manual") -> Remedy {
        let head =
            "version: 1\nfleet: { database: host=db, labels: { rack: 1 } }\napps:\n  com.example.A:\n    plugin: ColorFeed\n"
        return Remedy(
            head + "    \(usage)\n    tasks: { r: { kind: processing, \(slip) } }\n",
            "{ kind: processing, \(slip) }",
            "{ kind: processing, \(write) }")
    }

    private static let any = "repeat: 1d, scope: any_host"
    private static let lone =
        "version: 1\napps: { com.example.A: { plugin: ColorFeed, usage: manual, tasks: "
        + "{ r: { kind: processing, \(any) } } } }\n"
    private static let user =
        "version: 1\napps: { com.example.A: { plugin: ColorFeed, usage: fleet, tasks: "
        + "{ r: { kind: processing } } } }\n"
    private static let top = "version: 1\nfleet: { database: service=lull }"
    private static let many = (0...64).map { "l\($0): a" }.joined(separator: ", ")

    static let fleets: [Remedy] = [
        Remedy(lone, "version: 1", top),
        Remedy(lone, ", scope: any_host", "").prose,
        Remedy(user, "version: 1", top),
        fleet("database: lull", "database: host=/run/postgresql dbname=lull"),
        fleet("database: lull", "database: postgresql://lull@db.example.org/lull"),
        fleet("database: host=db password=x", "database: host=db passfile=/etc/lull/pgpass").prose,
        fleet("database: host=db sslmode=require", "database: host=db sslmode=verify-full"),
        fleet("name: lull", "database: service=lull, name: lull"),
        fleet("database: host=db, name: Lull", "database: host=db, name: lull"),
        fleet("database: host=db, name:", "database: host=db, name: lull"),
        fleet("database:", "database: service=lull"),
        fleet("database: host=db, labels:", "database: host=db, labels: { zone: a }"),
        fleet("database: host=db, follow: jobs.yaml", "database: host=db, follow: /var/lib/lull/fleet.yaml"),
        fleet("database: host=db, follow: '*.yaml'", "database: host=db, follow: /var/lib/lull/fleet.yaml"),
        fleet("database: host=db, labels: { zone: [] }", "database: host=db, labels: { zone: a }"),
        fleet("database: host=db, labels: { \(many) }", "database: host=db, labels: { l0: a }").prose,
        member("repeat: 1d, concurrency: { fleet: 0 }", "repeat: 1d, concurrency: { fleet: 2 }"),
        member("concurrency: { host: 0 }", "concurrency: { host: 2 }"),
        member("hosts: [web1]", "hosts: { labels: { role: web } }"),
        member("hosts:", "hosts: { labels: { role: web } }"),
        member("repeat: 1d, hosts: { spread: [] }", "repeat: 1d, hosts: { spread: zone }").leaving(
            "no label"),
        Remedy(
            "version: 1\nfleet: { database: host=db, labels: { } }\napps: { com.example.A: { plugin: ColorFeed, "
                + "usage: manual, tasks: { r: { kind: processing, repeat: 1d, hosts: { spread: zone } } } } }\n",
            "labels: { }", "labels: { zone: a }"),
        member("scope: any_host", any),
        member("scope: any_host", "scope: any_host, timezone: UTC, at: daily 02:30"),
        member("repeat: 1d, prefer: idlest", any + ", prefer: idlest"),
        member("repeat: 1d, lease: 10m", any + ", lease: 10m"),
        member(
            "at: ['@reboot', daily 02:30], timezone: UTC, scope: any_host",
            "at: daily 02:30, timezone: UTC, scope: any_host"
        )
        .prose,
        member(
            "at: ['@reboot'], timezone: UTC, scope: any_host",
            "at: ['@reboot'], timezone: UTC, scope: each_host"),
        member("at: daily 02:30, scope: any_host", "at: daily 02:30, scope: any_host, timezone: UTC"),
        member(any + ", prefer: freshest", any + ", prefer: idlest", usage: "idle_after: never"),
        Remedy(
            "version: 1\nfleet: { database: host=db }\napps: { com.example.A: { plugin: ColorFeed, usage: manual, "
                + "tasks: { r: { kind: continued, scope: any_host, repeat: 1d } } } }\n",
            "kind: continued", "kind: processing"
        ).about("where a person begins it"),
    ]
}
