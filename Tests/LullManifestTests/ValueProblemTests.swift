import Testing

@testable import LullManifest

/// A value that its key can't take is refused with one that it can.
struct ValueProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "yes for true",
            app: """
                enabled: yes
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:14: error: `enabled` takes true or false, not 'yes'
                    6 |     enabled: yes
                      |              ^~~
                help: write `enabled: true`
                """),
        Case(
            "true in quotes",
            task: """
                kind: refresh
                enabled: "true"
                """,
            says: """
                jobs.yaml:9:18: error: `enabled` takes true or false, not the text 'true' in quotes
                    9 |         enabled: "true"
                      |                  ^~~~~~
                help: write `enabled: true`
                """),
        Case(
            "a duration in words",
            task: """
                kind: refresh
                repeat: 15 min
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` takes a duration, not '15 min'
                    9 |         repeat: 15 min
                      |                 ^~~~~~
                help: write `repeat: 15m`
                """),
        Case(
            "a duration without a unit",
            task: """
                kind: refresh
                repeat: 900
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` takes a duration, not '900'
                    9 |         repeat: 900
                      |                 ^~~
                help: write `repeat: 900s`, `repeat: 900m` or `repeat: 900h`
                """),
        Case(
            "a duration of two units",
            task: """
                kind: refresh
                repeat: 1h30m
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` takes a duration, not '1h30m'
                    9 |         repeat: 1h30m
                      |                 ^~~~~
                help: write `repeat: 90m`
                """),
        Case(
            "half an hour in hours",
            task: """
                kind: refresh
                repeat: 0.5h
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` takes a duration, not '0.5h'
                    9 |         repeat: 0.5h
                      |                 ^~~~
                help: write `repeat: 30m`
                """),
        Case(
            "milliseconds",
            task: """
                kind: refresh
                repeat: 500ms
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` takes a duration, not '500ms'
                    9 |         repeat: 500ms
                      |                 ^~~~~
                help: write, for example, `repeat: 15m`
                """),
        Case(
            "no repetition",
            task: """
                kind: refresh
                repeat: 0s
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` must be from 1s to 400d, not '0s'
                    9 |         repeat: 0s
                      |                 ^~
                help: write a value from 1s to 400d, such as `repeat: 15m`
                """),
        Case(
            "a negative duration",
            task: """
                kind: refresh
                repeat: -5m
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` takes a duration, not '-5m'
                    9 |         repeat: -5m
                      |                 ^~~
                help: write, for example, `repeat: 15m`
                """),
        Case(
            "a time limit over a day",
            task: """
                kind: refresh
                time_limit: 2d
                """,
            says: """
                jobs.yaml:9:21: error: `time_limit` must be from 1s to 1d, not '2d'
                    9 |         time_limit: 2d
                      |                     ^~
                help: write a value from 1s to 1d, such as `time_limit: 10m`
                """),
        Case(
            "a list for a duration",
            task: """
                kind: refresh
                repeat: [15m]
                """,
            says: """
                jobs.yaml:9:17: error: `repeat` takes a duration, not a list
                    9 |         repeat: [15m]
                      |                 ^~~~~
                help: write, for example, `repeat: 15m`
                """),
        Case(
            "idle_after in days",
            """
            version: 1
            defaults: { idle_after: 7 days }
            apps: {}

            """,
            says: """
                jobs.yaml:2:25: error: `idle_after` takes a duration or never, not '7 days'
                    2 | defaults: { idle_after: 7 days }
                      |                         ^~~~~~
                help: write `idle_after: 7d`
                jobs.yaml:3:1: warning: the manifest has no apps: nothing will run
                    3 | apps: {}
                      | ^~~~
                help: list them under `apps:`
                """),
        Case(
            "a decimal size",
            task: """
                kind: refresh
                requires: { disk_free: 1.5GB }
                """,
            says: """
                jobs.yaml:9:32: error: `disk_free` takes a size, not '1.5GB'
                    9 |         requires: { disk_free: 1.5GB }
                      |                                ^~~~~
                help: write `disk_free: 1536MiB`
                """),
        Case(
            "a size without a unit",
            task: """
                kind: refresh
                requires: { disk_free: 1000 }
                """,
            says: """
                jobs.yaml:9:32: error: `disk_free` takes a size, not '1000'
                    9 |         requires: { disk_free: 1000 }
                      |                                ^~~~
                help: write, for example, `disk_free: 1GiB`
                """),
        Case(
            "a fraction for a share",
            task: """
                kind: refresh
                requires: { battery_above: 0.2 }
                """,
            says: """
                jobs.yaml:9:36: error: `battery_above` takes a share in per cent, not '0.2'
                    9 |         requires: { battery_above: 0.2 }
                      |                                    ^~~
                help: write `battery_above: 20%`
                """),
        Case(
            "a share over 100 %",
            task: """
                kind: refresh
                requires: { battery_above: 120% }
                """,
            says: """
                jobs.yaml:9:36: error: `battery_above` must be from 0% to 100%, not '120%'
                    9 |         requires: { battery_above: 120% }
                      |                                    ^~~~
                help: write a value from 0% to 100%, such as `battery_above: 20%`
                """),
        Case(
            "true for network",
            task: """
                kind: refresh
                requires: { network: true }
                """,
            says: """
                jobs.yaml:9:30: error: `network` must be any or unmetered, not 'true'
                    9 |         requires: { network: true }
                      |                              ^~~~
                help: did you mean `any`?
                """),
        Case(
            "text for requires",
            task: """
                kind: refresh
                requires: network
                """,
            says: """
                jobs.yaml:9:19: error: `requires` takes keys and values, not 'network'
                    9 |         requires: network
                      |                   ^~~~~~~
                help: write, for example, `requires: { network: any }`
                """),
        Case(
            "no load at all",
            task: """
                kind: refresh
                requires: { load_below: 0 }
                """,
            says: """
                jobs.yaml:9:33: error: `load_below` must be over 0 and up to 100, not '0'
                    9 |         requires: { load_below: 0 }
                      |                                 ^
                help: write a value over 0 and up to 100, such as `load_below: 0.5`
                """),
        Case(
            "a kind that does not exist",
            task: """
                kind: procesing
                """,
            says: """
                jobs.yaml:8:15: error: `kind` must be refresh, processing or continued, not 'procesing'
                    8 |         kind: procesing
                      |               ^~~~~~~~~
                help: did you mean `processing`?
                """),
        Case(
            "a kind far from all",
            task: """
                kind: blue
                """,
            says: """
                jobs.yaml:8:15: error: `kind` must be refresh, processing or continued, not 'blue'
                    8 |         kind: blue
                      |               ^~~~
                help: write `kind: refresh`, `kind: processing` or `kind: continued`
                """),
        Case(
            "a number in words",
            task: """
                kind: refresh
                priority: high
                """,
            says: """
                jobs.yaml:9:19: error: `priority` takes a whole number, not 'high'
                    9 |         priority: high
                      |                   ^~~~
                help: write, for example, `priority: 0`
                """),
        Case(
            "a broken number",
            task: """
                kind: refresh
                priority: 1.5
                """,
            says: """
                jobs.yaml:9:19: error: `priority` takes a whole number, not '1.5'
                    9 |         priority: 1.5
                      |                   ^~~
                help: write `priority: 2`
                """),
        Case(
            "nice beyond 19",
            task: """
                kind: refresh
                nice: 20
                """,
            says: """
                jobs.yaml:9:15: error: `nice` must be from -20 to 19, not '20'
                    9 |         nice: 20
                      |               ^~
                help: write a value from -20 to 19, such as `nice: 10`
                """),
        Case(
            "no run at once",
            """
            version: 1
            defaults: { concurrency: { host: 0, app: 4 } }
            apps: {}

            """,
            says: """
                jobs.yaml:2:34: error: `host` must be from 1 to 1000, not '0'
                    2 | defaults: { concurrency: { host: 0, app: 4 } }
                      |                                  ^
                help: write a value from 1 to 1000, such as `host: 4`
                jobs.yaml:3:1: warning: the manifest has no apps: nothing will run
                    3 | apps: {}
                      | ^~~~
                help: list them under `apps:`
                """),
        Case(
            "a digest that is too short",
            app: """
                sha256: 9f86d081
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:13: error: `sha256` must be 64 hexadecimal digits in lower case, not '9f86d081' (8 characters)
                    6 |     sha256: 9f86d081
                      |             ^~~~~~~~
                help: run `sha256sum FILE` on the plugin's file, and write the digits that it prints
                """),
        Case(
            "a digest in capitals",
            app: """
                sha256: 9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:13: error: `sha256` must be 64 hexadecimal digits in lower case, not '9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F0…' (64 characters)
                    6 |     sha256: 9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08
                      |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: write `sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`
                """),
        Case(
            "a digest with its file's name",
            app: """
                sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  feed.so
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:13: error: `sha256` must be 64 hexadecimal digits in lower case, not '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0…' (73 characters)
                    6 |     sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  feed.so
                      |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: write `sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`
                """),
        Case(
            "a digest with its kind",
            app: """
                sha256: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:13: error: `sha256` must be 64 hexadecimal digits in lower case, not 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6…' (71 characters)
                    6 |     sha256: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                      |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: write `sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`
                """),
        Case(
            "a digest of a letter too many",
            app: """
                sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a080
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:13: error: `sha256` must be 64 hexadecimal digits in lower case, not '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0…' (65 characters)
                    6 |     sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a080
                      |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: run `sha256sum FILE` on the plugin's file, and write the digits that it prints
                """),
        Case(
            "a digest",
            app: """
                sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                tasks: { r: { kind: refresh } }
                """),
        Case(
            "retries out of order",
            task: """
                kind: refresh
                retry: { first: 1h, max: 5m }
                """,
            says: """
                jobs.yaml:9:9: error: the first wait, 1h, is longer than the longest, 5m
                    9 |         retry: { first: 1h, max: 5m }
                      |         ^~~~~
                help: write a `first` that is at most `max`
                """),
    ]
}
