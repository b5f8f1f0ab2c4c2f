@testable import LullManifest

extension Remedy {
    private static let digits = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    /// A key of a refresh task, and its replacement.
    private static func key(_ slip: String, _ write: String) -> Remedy {
        Remedy(task: "kind: refresh\n\(slip)", slip, write)
    }

    private static func constraint(_ slip: String, _ write: String) -> Remedy {
        key("requires: { \(slip) }", "requires: { \(write) }")
    }

    private static func app(_ slip: String, _ write: String) -> Remedy {
        Remedy(app: slip + "\ntasks: { r: { kind: refresh } }", slip, write)
    }

    static let values: [Remedy] = [
        app("enabled: yes", "enabled: true"),
        key("enabled: \"true\"", "enabled: true"),
        key("repeat: 15 min", "repeat: 15m"),
        key("repeat: 900", "repeat: 900s").leaving("refreshes of an app"),
        key("repeat: 900", "repeat: 900m"),
        key("repeat: 900", "repeat: 900h"),
        key("repeat: 1h30m", "repeat: 90m"),
        key("repeat: 0.5h", "repeat: 30m"),
        key("repeat: 500ms", "repeat: 15m"),
        key("repeat: 0s", "repeat: 15m"),
        key("time_limit: 2d", "time_limit: 10m"),
        key("repeat:", "repeat: 15m"),
        key("repeat:", "").prose,
        Remedy(task: "kind:", "kind:", "kind: refresh"),
        app("idle_after: none", "idle_after: never"),
        app("cost_limit: { processor: 10/1d }", "cost_limit: { processor: 10m/1d }"),
        app("cost_limit: { written: 0GiB/1d }", "cost_limit: { written: 5GiB/1d }"),
        app("cost_limit: { read: 1GiB/401d }", "cost_limit: { read: 20GiB/1d }"),
        constraint("disk_free: 1.5GB", "disk_free: 1536MiB"),
        constraint("disk_free: 1000", "disk_free: 1GiB"),
        constraint("battery_above: 0.2", "battery_above: 20%"),
        constraint("battery_above: 120%", "battery_above: 20%"),
        constraint("network: true", "network: any"),
        key("except: [24.12.2026]", "except: [2026-12-24]").prose,
        key("except: [2026-02-30]", "except: [2026-02-28]").prose,
        key("except: [2027-01-02..2026-12-24]", "except: [2026-12-24..2027-01-02]").prose,
        key("except: [every 2w]", "except: [every 2w from 2026-12-07]"),
        key("except: [every 36h from 2026-12-01]", "except: [every 2w from 2026-12-07]"),
        key("only: [weekdays]", "only: [Mon-Fri]"),
        key("only: [xyz]", "only: [Sat]").prose,
        key("only: 2026-12-24", "only: [2026-12-24]"),
        key("from: {}", "from: 2026-12-01"),
        key("until: 12-24", "until: 2026-12-24").prose,
        Remedy(task: "kind: refresh\nfrom: 2027-01-01\nuntil: 2026-12-01", "2027-01-01", "2026-11-01").prose,
        Remedy(task: "kind: processing\nat: Mon 08:30\nonly: [Tue]", "Tue", "Mon").prose,
        Remedy(task: "kind: processing\nrepeat: 1d\nexcept: [Mon-Sun]", "Mon-Sun", "Sat").prose,
        Remedy(
            task: "kind: processing\nat: 2026-12-24 18:00", "at: 2026-12-24 18:00",
            "at: \"*-12-24 18:00\"\n        only: [2026-12-24]"),
        key("requires: network", "requires: { network: any }"),
        constraint("load_below: 0", "load_below: 0.5"),
        Remedy(task: "kind: cron", "cron", "processing"),
        Remedy(task: "kind: blue", "blue", "refresh"),
        Remedy(task: "kind: blue", "blue", "processing"),
        Remedy(task: "kind: blue", "blue", "continued"),
        key("time_limit: none", "time_limit: 1d"),
        key("repeat: every hour", "repeat: 1h"),
        key("repeat: daily", "repeat: 1d"),
        key("timezone: berlin", "timezone: Europe/Berlin"),
        Remedy(task: "kind: processing\nat: daily\nmissed: yes", "yes", "one"),
        Remedy(task: "kind: procesing", "procesing", "processing"),
        key("priority: high", "priority: 0"),
        key("priority: 1.5", "priority: 2"),
        key("nice: 20", "nice: 10"),
        key("budget: 70%", "budget: { fresh: 70% }"),
        key("budget: { within: 30m }", "budget: { fresh: 70%, within: 30m }"),
        key("retry: { first: 1h, max: 5m }", "retry: { first: 5m, max: 5m }").prose,
        app("limits: { cpu: 2 }", "limits: { cpu: 200% }"),
        app("limits: { cpu: 50 }", "limits: { cpu: 50% }"),
        app("limits: { cpu: 50 }", "limits: { cpu: 5000% }"),
        app("sha256: \(digits.uppercased())", "sha256: \(digits)"),
        app("sha256: 9f86d081", "sha256: \(digits)").prose,
        Remedy(app: "tasks: [ refresh ]", "[ refresh ]", "\n      refresh:\n        kind: refresh").prose,
        Remedy("version: 2\napps:\n", "version: 2", "version: 1").about("version").leaving("no apps"),
        key("timezone: Europe/Berln", "timezone: Europe/Berlin"),
        key("timezone: ../zones/CET", "timezone: Europe/Berlin"),
        key("timezone: Europe/Berlin", "timezone: Europe/Berlin").prose.with {
            for path in $0.before.entries.keys where path.hasPrefix("/zones") {
                $0.before.entries[path] = nil
            }
        },
        key("windows: 01:00-05:00", "windows: [\"01:00-05:00\"]"),
        key("windows: [\"01:00\"]", "windows: [\"01:00-05:00\"]"),
        key("windows: [\"Sat,Sun\"]", "windows: [\"Sat,Sun 00:00-24:00\"]"),
        key("windows: [\"22:00-25:00\"]", "windows: [\"01:00-05:00\"]"),
        key("windows: [\"Satday 01:00-02:00\"]", "windows: [\"Sat 01:00-02:00\"]").prose,
        key("windows: [\"Xyz 01:00-02:00\"]", "windows: [\"Sat,Sun 22:00-07:00\"]"),
        key("windows: [\"Xyz 01:00-02:00\"]", "windows: [\"Mon-Fri 09:00-17:00\"]"),
        key("windows: [\"01:00-01:00\"]", "windows: [\"00:00-24:00\"]"),
    ]

    /// A time of `at`, and its replacement.
    private static func at(_ slip: String, _ write: String) -> Remedy {
        Remedy(task: "kind: processing\nat: '\(slip)'", slip, write)
    }

    static let times: [Remedy] = [
        at("@dayly", "@daily"),
        at("@full-moon", "daily 02:30"),
        at("@full-moon", "@reboot").prose,
        at("every day at 4 pm", "daily 16:00"),
        at("noon", "daily 12:00"),
        at("weekdays at 9:30", "Mon-Fri 09:30"),
        at("monday 4", "Mon 04:00"),
        Remedy(task: "kind: processing\nat: every 5 minutes", "at: every 5 minutes", "repeat: 5m").prose,
        at("5 4 * * * root", "5 4 * * *").prose,
        at("0 5 4 * * *", "5 4 * * *").prose,
        at("5 4 ? * *", "5 4 * * *").prose,
        at("0 4 L * *", "monthly last 04:00"),
        at("5 4 * *", "30 2 * * Mon-Fri"),
        at("5 4 * *", "daily 02:30"),
        Remedy(task: "kind: processing\nat: ''", "''", "'daily 02:30'"),
        Remedy(task: "kind: processing\nat: ''", "''", "'30 2 * * Mon-Fri'"),
        Remedy(task: "kind: processing\nat: '@every 5m'", "at: '@every 5m'", "repeat: 5m"),
        at("60 2 * * *", "30 2 * * *"),
        at("30 25 * * *", "0 8-18 * * *"),
        at("0 4 32 * *", "0 4 1,15 * *"),
        at("0 4 1 Foo *", "0 4 1 Jan,Jul *"),
        at("30 8 * * Fooday", "30 8 * * Mon-Fri"),
        at("*/ * * * *", "*/15 * * * *"),
        at("*/ * * * *", "* * * * *").prose,
        at("5/15 * * * *", "5-59/15 * * * *"),
        at("0 18-8 * * *", "0 18-23,0-8 * * *"),
        Remedy(
            task: "kind: processing\nat: '0~30 2 * * *'", "at: '0~30 2 * * *'",
            "at: '0 2 * * *'\n        spread: 10m"),
        at("Monn 08:30", "Mon 08:30").prose,
        at("Xyz 08:30", "Mon-Fri 08:30"),
        at("daily 25:00", "daily 02:30"),
        at("*-13-01 04:00", "*-*-01 04:00"),
        at("*-13-01 04:00", "yearly 12-24 18:00"),
        at("daily 02:30:15", "daily 02:30:00"),
        at("daily 02:30:15", "daily 02:30").prose,
        at("2027-01-01 04:00", "*-01-01 04:00"),
        Remedy(
            task: "kind: processing\nat: 'daily 02:30 Europe/Berlin'", "at: 'daily 02:30 Europe/Berlin'",
            "at: 'daily 02:30'\n        timezone: Europe/Berlin"),
        at("weekly 04:00", "weekly Mon 04:00"),
        at("weekly 04:00", "weekly Sun"),
        at("weekly 04:00", "@weekly"),
        at("30 2 31 2 *", "monthly last 04:00"),
        at("30 2 31 2 *", "30 2 28 2 *").prose,
    ]

    /// A processing task, and the replacement of a part of it.
    private static func task(_ text: String, _ slip: String, _ write: String) -> Remedy {
        Remedy(task: "kind: processing\n" + text, slip, write)
    }

    static let sense: [Remedy] = [
        Remedy(task: "kind: continued\nrepeat: 1h", "\n        repeat: 1h", "").prose,
        Remedy(task: "kind: continued\nrepeat: 1h", "kind: continued", "kind: refresh"),
        Remedy(task: "kind: continued\nrepeat: 1h", "kind: continued", "kind: processing"),
        Remedy(task: "kind: continued\nat: daily", "\n        at: daily", "").prose,
        Remedy(task: "kind: continued\nat: daily", "kind: continued", "kind: processing"),
        Remedy(
            "version: 1\napps: { com.example.A: { plugin: Command, idle_after: never, tasks: { r: { kind: continued, "
                + "settings: { run: ls } } } } }\n", "kind: continued", "kind: processing"
        ).about("progress").leaving("no plugin"),
        Remedy(task: "kind: continued\nrequires: { idle: true }", "{ idle: true }", "{ idle: false }"),
        task("repeat: 1d\nat: daily", "\n        at: daily", "").prose,
        task("repeat: 1d\nat: daily", "repeat: 1d\n        ", "").prose,
        task("spread: 10m", "spread: 10m", "at: \"30 2 * * *\"\n        spread: 10m"),
        task("spread: 10m", "\n        spread: 10m", "").prose,
        task("at: daily\nlatest: 2d", "\n        latest: 2d", "").prose,
        task("at: daily\nlatest: 2d", "at: daily", "repeat: 1d").prose,
        task("at: daily\nretry: { first: 5m }", "retry: { first: 5m }", "retry: { attempts: 3 }"),
        task("at: daily\nretry: { first: 5m }", "\n        retry: { first: 5m }", "").prose,
        task(
            "repeat: 1h\nretry: { exit_codes: [75] }", "retry: { exit_codes: [75] }",
            "retry: { attempts: 3, exit_codes: [75] }"),
        task("repeat: 1h\nretry: { first: 5m, exit_codes: [75] }", ", exit_codes: [75]", "").prose,
        task(
            "repeat: 1h\nretry: { attempts: 3, exit_codes: [] }", "exit_codes: []", "exit_codes: [75]"),
        task("repeat: 1h\nretry: { attempts: 3, exit_codes: [] }", ", exit_codes: []", "").prose,
        Remedy(
            app: "tasks: { r: { kind: refresh, limits: { memory: 64MiB } } }",
            "tasks: { r: { kind: refresh, limits: { memory: 64MiB } } }",
            "limits: { memory: 64MiB }\n    tasks: { r: { kind: refresh } }"
        ).prose,
        Remedy(
            "version: 1\napps:\n  com.example.A:\n    plugin: Command\n    idle_after: never\n"
                + "    tasks: { r: { kind: processing, limits: { disk: 1GiB } } }\n",
            "tasks: { r: { kind: processing, limits: { disk: 1GiB } } }",
            "limits: { disk: 1GiB }\n    tasks: { r: { kind: processing } }"
        ).prose,
        task("group: one two", "group: one two", "group: database").leaving("no other task is in the group"),
        Remedy(
            "version: 1\ngroups: { db: 0 }\napps: { com.example.A: { plugin: ColorFeed, usage: manual, "
                + "tasks: { r: { kind: refresh, group: db } } } }\n", "db: 0", "db: 2"),
        task("group: database", "\n        group: database", "").prose,
        Remedy(
            app:
                "group: database\ntasks: { a: { kind: refresh }, b: { kind: refresh }, c: { kind: refresh, group: databse } }",
            "group: databse", "group: database"),
        Remedy(
            task: "kind: refresh\ntime_limit: 10s\ngrace: { warning: 10s }", "grace: { warning: 10s }",
            "grace: { warning: 1s }"),
        Remedy(task: "kind: refresh\ntime_limit: 10s\ngrace: { warning: 10s }", "10s\n", "20s\n").prose,
        Remedy(
            "version: 1\napps:\n  com.example.A: { plugin: ColorFeed, tasks: { r: { kind: refresh } } }\n",
            "ColorFeed,", "ColorFeed, usage: manual,"),
        Remedy(
            "version: 1\napps:\n  com.example.A: { plugin: ColorFeed, tasks: { r: { kind: refresh } } }\n",
            "ColorFeed,", "ColorFeed, idle_after: never,"),
        Remedy(
            "version: 1\napps:\n", "apps:\n",
            "apps:\n  com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }\n"
        ).prose,
        Remedy(app: "tasks: {}", "{}", "\n      refresh: { kind: refresh }"),
        Remedy(task: "kind: refresh\nrepeat: 5m", "repeat: 5m", "repeat: 5m\n        min_gap: 5m"),
        Remedy(task: "kind: refresh\nrepeat: 5m", "5m", "15m").prose,
        task("min_gap: 1h", "\n        min_gap: 1h", "").prose,
        task("min_gap: 1h", "kind: processing", "kind: refresh"),
        task("at: 0 5 * * *\nmissed: skip\nwindows: [\"01:00-05:00\"]", "0 5 *", "0 4 *").prose,
        task(
            "at: 0 5 * * *\nmissed: skip\nwindows: [\"01:00-05:00\"]", "windows: [\"01:00-05:00\"]",
            "windows: []"),
        task("at: 0 5 * * Mon\nexpect: { at_least: 1/24h }", "1/24h", "1/14d"),
        task("at: 0 5 * * Mon\nexpect: { at_least: 1/24h }", " Mon", " *").leaving("expected").prose,
        task("repeat: 7d\nexpect: { at_least: 1/24h }", "1/24h", "1/14d"),
        task("repeat: 7d\nexpect: { at_least: 1/24h }", "7d", "6h").prose,
        task("repeat: 1h\nwindows: [\"Sat 01:00-02:00\"]\nexpect: { at_least: 1/24h }", "1/24h", "1/334h"),
        task(
            "repeat: 1h\nwindows: [\"12:00-13:00\"]\nexpect: { at_least: 1/12h }", "\"]",
            "\", \"22:00-03:00\"]"
        ).prose,
        task("repeat: 1d\nwindows: [\"Sat 22:00-06:00\"]\nexpect: { at_least: 2/8d }", "2/8d", "1/8d").prose,
        task(
            "repeat: 1d\nenabled: false\nexpect: { at_least: 1/48h }",
            "\n        expect: { at_least: 1/48h }", ""
        ).prose,
        task("repeat: 1d\nenabled: false\nexpect: { at_least: 1/48h }", "enabled: false\n        ", "").prose,
        asking("repeat: 1d"), asking("at: \"30 2 * * *\""),
        app("limits: { privileges: keep, network: false }", "limits: { privileges: keep }").prose,
        app("limits: { privileges: keep, network: false }", "limits: { network: false }").prose,
        app("limits: { write: [/srv/data] }", "limits: { write: [/srv/data] }").prose.with {
            $0.after.entries["/srv/data"] = FileEntry(.folder, realPath: "/srv/data")
        },
    ]

    /// A task of the plugin Command, which submits nothing by itself.
    private static func asking(_ rhythm: String) -> Remedy {
        Remedy(
            "version: 1\napps:\n  com.example.A:\n    plugin: Command\n    idle_after: never\n    tasks:\n"
                + "      t:\n        kind: processing\n        expect: { at_least: 1/2d }\n"
                + "        settings: { run: \"true\" }\n",
            "        expect", "        \(rhythm)\n        expect"
        ).with {
            let path = "/usr/lib/lull/libCommand.so"
            $0.before.entries[path] = FileEntry(.file, realPath: path)
            $0.after = $0.before
        }
    }

    static let settings: [Remedy] = [
        key("settings: { a: .inf }", "settings: { a: \".inf\" }"),
        key("settings: { mode: 0644 }", "settings: { mode: \"0644\" }"),
        key("settings: { mode: 0644 }", "settings: { mode: 644 }").prose,
        key("settings: { a: 1e400 }", "settings: { a: \"1e400\" }"),
        key("settings: { lull: 1 }", "settings: { size: 1 }").prose,
        key("settings: { a: 1, a: 2 }", "settings: { a: 2 }").prose,
        key("settings: [1]", "settings: { feed: feed.json }"),
        key("settings: { a: \(String(repeating: "x", count: 70_000)) }", "settings: { a: big.txt }").prose,
        key("settings: { run: echo a, b }", "settings: { run: \"echo a, b\" }"),
        key("settings: { run: echo a, b }", "settings: { run: echo a, b: null }"),
        key("settings: { run: { echo a; } }", "settings: { run: '{ echo a; }' }"),
        key("settings: { run: { cd 'a b'; c } }", "settings: { run: '{ cd ''a b''; c }' }"),
        key("settings: { a: { b: c }, d }", "settings: { a: { b: c }, d: null }"),
        Remedy(
            task: "kind: refresh\nsettings:\n  run: grep -c #include FILE", "grep -c #include FILE",
            "'grep -c #include FILE'"
        )
        .prose,
        Remedy(task: "kind: refresh\nsettings:\n  run: grep -c #include FILE", "#include", "# include")
            .prose,
    ]
}
