import LullModel

/// What each key means, and what stands behind it: for the schema, for editors and for jobs.yaml(5). There is no default: who
/// adds a key says both here.
extension Key {
    public func meaning(in place: Place) -> String {
        switch self {
        case .version: "The version of the manifest's language: 1."
        case .include:
            "Other files of the manifest, from this one's folder: paths, or patterns such as jobs.d/*.yaml. Apps may all be in them."
        case .defaults: "What apps and tasks inherit."
        case .apps: "The apps, each under its identifier in reverse DNS."
        case .plugin:
            "The shared library: a name looked up in the plugin path, or a path from the manifest's folder."
        case .description: "For people."
        case .enabled:
            place == .app
                ? "false: none of its tasks is launched. Default true."
                : "false: it is not launched. Default true."
        case .settings: "Handed to the plugin as JSON, at most 64 KiB. Any YAML; the key `lull` is reserved."
        case .usage:
            "Where uses are learned from: a list of sources, or `manual`, with which `lull used` alone tells of them. `fleet`, alone or in the list: uses on other hosts count too."
        case .user:
            "As whom the app runs; `host`: as lull does. Unless given so, too; but under root as an account of its own. Only root may name another."
        case .limits: "What the app may use and reach of the machine."
        case .sha256: "What `sha256sum` says of the plugin's file: another is not loaded."
        case .notifications: "true: its plugin may tell people something itself. Default false."
        case .desktop: "The desktop of the user whom the host runs as, where there is one."
        case .tasks: "The tasks that are permitted. A name without a dot is short for APP.NAME."
        case .idleAfter:
            "An app with no use for longer than this is not launched until it is used again: a duration, or `never`. Default 7d."
        case .idleClock:
            "Whose time counts for idle_after: the wall clock's, or the host's own. Default wall."
        case .keepWarm: "How long a worker without runs is kept. Default 10m."
        case .kind:
            "What it may be launched as. refresh: short, timed by the forecast. processing: longer, with constraints. continued: begun by a person."
        case .repeat:
            "When a run starts, the next request is made, so long after. A refresh is timed by the forecast then."
        case .at:
            "Exact times: a cron expression, @daily and its like, or words such as `daily 02:30`; one, or a list. Not beside repeat."
        case .missed:
            "What follows times of `at` that were missed: one launch for all (one), one for each (all), or none (skip). Default one."
        case .spread:
            place == .hosts
                ? "A label: no two runs of it at once on hosts with the same value."
                : "Each time of `at` comes later by a share of this that stays the same on a host. Default 0s."
        case .tolerance:
            "How late after a time of `at` the task may be launched before it counts as missed. Default 5m."
        case .requires: "Constraints: while one is false the task waits; it is never skipped."
        case .whileRunning:
            "What a run does when a condition in `requires` ends: end, or go_on. Default end; of the plugin Command go_on."
        case .windows: "When it may be launched: \"01:00-05:00\", \"Sat,Sun 22:00-07:00\". Default always."
        case .quiet: "When nothing is launched, as for maintenance: \"Sun 02:00-04:00\". Default never."
        case .timezone:
            "Whose times `windows`, `quiet` and `at` mean: a name of the zone database. Default the host's."
        case .grace:
            "How long before its limit a run is warned (warning), and how long after that it is killed (kill, or the duration alone). Default 5s each."
        case .concurrency:
            place == .defaults
                ? "Runs at once, on the host and of each app. Default 4 each."
                : place == .app
                    ? "Runs of this app at once. Default 4."
                    : "Runs of this task at once, on each host; or of the whole fleet (fleet) and of each host (host). Default 1 each host."
        case .budget:
            "Refresh launches a day, on average, that this task adds to the refresh budget that all share; or the share of uses that are to find fresh data. Of processing: launches a day that it adds to what its app may submit. Default 8."
        case .objective: "What the launches of a refresh are planned for. Default both; hits beside a share."
        case .retry:
            "How often one time or event is tried (attempts), and how long after a failure: it doubles from first up to max. Default 30s and 5h."
        case .latest:
            "For how long in all the gates may be open before the task is launched whatever its score."
        case .priority: "Higher first. Default 0."
        case .nice: "The worker's niceness while it runs. Default 0."
        case .leaves:
            "What a command leaves behind: it ends with the run (ended), or goes on while the host runs (running). Default ended."
        case .group:
            "What it shares with tasks of any app, such as a database: one of them runs at once. Default nothing."
        case .groups: "Runs at once of all tasks of a group, by its name. Default 1."
        case .timeLimit:
            "How long a run may take. Default: refresh 30s, processing 10m (of the plugin Command 1d), continued no limit."
        case .minGap: "Least time between two refresh launches of the app. Default 15m."
        case .network:
            place == .limits
                ? "false: no socket but local ones. Default true."
                : "A default route (any), or one that is not metered (unmetered)."
        case .idle:
            "true: only while the host is idle. false: idleness plays no part. Not given: processing prefers it."
        case .externalPower: "On mains."
        case .batteryAbove: "Charge of the batteries together."
        case .loadBelow: "Load average per core."
        case .diskFree: "Free where the state folder is."
        case .attempts:
            "Runs for one time of `at`, event of `on` or turn of `repeat`, the first among them. Default 1, and for `repeat` no end."
        case .first: "Waiting time after the first failure. Default 30s."
        case .max: "The longest waiting time after failures. Default 5h."
        case .warning:
            "So long before the limit a run is expired. Default 5s, at most half of the limit; of the plugin Command 0s."
        case .kill: "So long after expiration the process group is killed. Default 5s."
        case .host:
            place == .taskConcurrency
                ? "Runs of this task at once on each host. Default 1."
                : "Runs at once on the host. Default 4."
        case .app: "Runs at once of each app. Default 4."
        case .log: "A log file: each line that matches is a use."
        case .match: "Which lines are uses: a POSIX extended regular expression. Default every line."
        case .time: "How a line tells its time: common, rfc3339, or a strptime format."
        case .login where place == .event: "A user who logs in; `any`: anybody."
        case .login: "A user whose logins are uses; `any`: anybody's."
        case .journal where place == .notify: "The journal, or what stands for the host's log."
        case .notify:
            "Who is told of failures, idleness, recovery and output. `[]` takes back what is inherited."
        case .mail: "An address, through sendmail."
        case .command: "A program with its arguments; what is told is on its standard input."
        case .webhook: "A URL: each notice is posted there, as JSON."
        case .on where place == .task:
            "Events that launch it, one or a list: path, after, device, login, resume, network, external_power, boot. Beside repeat and at, or alone."
        case .on: "Of what: one kind of notice, or a list."
        case .path:
            "A file that comes or changes: one file, any file of a folder, or a pattern of names in a folder, as /srv/in/*.csv."
        case .settle: "A file counts once nothing has happened to it for so long. Default 1s."
        case .after:
            "A task whose run ends: its name, or task and outcome. A list: all of them, since the task itself last ran."
        case .task: "The task before. A name without a dot is short for APP.NAME."
        case .outcome: "How its run has to end: success, failure or any. Default success."
        case .device: "A device that is plugged in: its name, as in /dev, or name and subsystem."
        case .subsystem: "What the kernel calls its kind: block, usb, tty, net."
        case .name where place == .fleet:
            "Lower-case letters, digits and _. Fleets that share a database have different names. Default lull."
        case .name: "Its name, as in /dev; `*` and `?` stand for what may be anything."
        case .heartbeat: "An address of a dead-man's switch that is called while all is well."
        case .url: "The address."
        case .fail: "true: failures are told too. Default false."
        case .every: "How often it is called. Default 5m."
        case .expect: "How often it should succeed. When it succeeds less often, a notice says so."
        case .atLeast: "So many successes in a time: 1/48h."
        case .journal: "A unit in systemd's journal: each message that matches is a use."
        case .unit: "The unit's name; `.service` may be left out."
        case .access: "A file, or a folder with entries: opening, reading or writing it is a use."
        case .fresh: "The share of uses that are to find fresh data: over 0%, to 99%."
        case .push:
            "What comes from outside wakes the app: silent pushes within a quota, urgent ones at once. They are runs of APP.push."
        case .quota: "So many silent pushes are delivered in any span. Default 3/1h."
        case .within where place == .push:
            "For how long a silent push waits for a good moment. Default 15m."
        case .transfers:
            "Lets the app download and upload files in the background, also while it does not run. Runs of APP.transfers tell it of them."
        case .fleet where place == .taskConcurrency:
            "Runs of this task at once, of all hosts of the fleet together. Default no limit."
        case .fleet: "The hosts that share one PostgreSQL, so that one of them runs what any may run."
        case .database:
            "Where that is: a URI or a list of KEY=VALUE, as libpq takes it, without a password."
        case .labels where place == .hosts: "A host runs it if it has all of these. Default none."
        case .labels: "What is true of this host, each a name and a text. Default none."
        case .follow:
            "A file of this host's own. The host writes the manifest of `lull fleet apply` there, and runs it."
        case .scope:
            "each_host: every host of the fleet runs it. any_host: one of them does, for each time. Default each_host."
        case .prefer:
            "Of several hosts that could run it: where its app is used soonest, where least goes on, or where power and network cost least. Default whoever comes first."
        case .lease:
            "How long a run in the fleet goes on without an answer of the database, counted from the last beat. So long, and 30 s, a lost host keeps the slot. Default a twelfth of time_limit, from 1m to 10m."
        case .atOnce: "Its transfers under way at once. Default 4."
        case .rate: "Bytes a second, of all its transfers together. Default no limit."
        case .hosts where place != .transfers:
            "Which hosts of the fleet may run it: those with these labels (labels), no two of the same value at once (spread). Default all."
        case .hosts:
            "The hosts that it may transfer with: names, `*.example.org` for all below one. Default any."
        case .maxSize where place == .transfers: "The largest file that it may transfer. Default 10GiB."
        case .maxSize: "The longest payload that is taken, to 100KiB. Default 64KiB."
        case .secretFile:
            "A file whose first line is the secret that a forge signs its webhooks with."
        case .mqtt: "A broker's messages are pushes of the app."
        case .broker: "The broker: mqtts://HOST, or mqtt://HOST without encryption, also with :PORT."
        case .topics: "The topics, each as the broker takes it: + for any one level, # for all that follow."
        case .username: "The name at the broker. Without it nobody logs in."
        case .passwordFile: "A file whose first line is the password at the broker."
        case .caFile: "The certificates that the broker's is checked against. Default the system's."
        case .urgent: "Whether its messages are urgent pushes. Default false."
        case .within: "How old data may be that is fresh: 15m to 24h. Default 60m."
        case .retention: "How long the history keeps things, and how large it may grow."
        case .events: "How long events are kept. Default 400d."
        case .output: "How long the output of runs is kept. Default 90d."
        case .outputSize:
            "How much of each run's output is kept: its first and last half. At most, and by default, 64KiB."
        case .size:
            "What the history may take on the disk. Beyond it the oldest output goes, then the events of runs that succeeded. Default 1GiB."
        case .memory: "Of all its processes together. Default half of the machine's."
        case .cpu: "On average over 60 s, 100% being one core. Default no limit."
        case .processes: "Its worker among them. Default 512."
        case .descriptors: "Open files of each process. Default the host's."
        case .disk: "What its state folder holds. Default no limit."
        case .read:
            "What may be read, beside what every program needs: paths, or `all`, which is the default."
        case .write:
            "What may be written, beside its state folder and those for temporary files: paths, or `all`. Default none."
        case .privileges:
            "keep: all that the user may; read, write and network can't be limited then. Default drop."
        }
    }
}

extension ManifestSchema {
    static func shape(of key: Key, in place: Place) -> Shape {
        switch key {
        case .version: ["const": 1]
        case .include: ["type": "array", "items": .object(text)]
        case .defaults: object(of: .defaults)
        case .apps: names(appPattern, of: "#/definitions/app")
        case .tasks: names(taskPattern, of: "#/definitions/task")
        case .spread where place == .hosts: text
        case .name where place == .fleet:
            ["type": "string", "pattern": .string(FleetDefinition.namePattern)]
        case .database, .follow: text
        case .fleet where place == .taskConcurrency: integer(1...FleetDefinition.mostRuns)
        case .fleet: object(of: .fleet)
        case .labels: labels
        case .scope: choices(FleetScope.self)
        case .prefer: choices(FleetPreference.self)
        case .plugin, .description, .user, .log, .login, .access, .unit, .match, .time, .timezone,
            .path, .task, .subsystem, .name,
            .secretFile, .username, .passwordFile, .caFile:
            text
        case .mail: matching(#"^[^-\s<>(),;:\\"\[\]][^\s<>(),;:\\"\[\]]*$"#)
        case .webhook, .url: matching(#"^https?://[^\s"\\/?#][^\s"\\]*$"#)
        case .atLeast: matching(#"^\+?0*[1-9][0-9]*/[0-9]+[smhdw]$"#)
        case .quota: matching(#"^\+?0*[1-9][0-9]*/[0-9]*[smhdw]$"#)
        case .broker: ["type": "string", "pattern": "^mqtts?://[^/@?#]+$"]
        case .topics: ["type": "array", "minItems": 1, "items": .object(text)]
        case .mqtt: object(of: .mqtt)
        case .enabled, .externalPower, .idle, .fail, .notifications, .urgent: boolean
        case .settings: ["type": "object", "propertyNames": ["not": ["const": "lull"]]]
        case .usage: usage
        case .limits: object(of: .limits)
        case .sha256: ["type": ["string", "number"], "pattern": "^[0-9a-f]{64}$"]
        case .idleAfter: ["anyOf": [["enum": ["never"]], ["$ref": "#/definitions/duration"]]]
        case .idleClock: choices(App.IdleClock.self)
        case .kind: choices(ManifestDecoder.TaskKind.self)
        case .objective: choices(Objective.self)
        case .missed: choices(MissedTimes.self)
        case .leaves: choices(WhatIsLeft.self)
        case .whileRunning: choices(TaskDefinition.WhileRunning.self)
        case .privileges: choices(ManifestDecoder.Privileges.self)
        case .at: ["anyOf": [.object(text), ["type": "array", "minItems": 1, "items": .object(text)]]]
        case .requires: object(of: .requires)
        case .retry: object(of: .retry)
        case .retention: object(of: .retention)
        case .journal where place == .notify, .desktop: ["const": true]
        case .journal: object(of: .journal)
        case .notify:
            ["type": "array", "items": ["anyOf": .array(alternatives(.notify, ManifestDecoder.sinkKeys))]]
        case .on where place == .task: events
        case .after: oneOrList([.object(text), .object(object(of: .after))])
        case .device: ["anyOf": [.object(text), .object(object(of: .device))]]
        case .outcome: choices(ChainOutcome.self)
        case .on:
            [
                "anyOf": [
                    .object(choices(NoticeKind.self)),
                    ["type": "array", "minItems": 1, "items": .object(choices(NoticeKind.self))],
                ]
            ]
        case .command: ["type": "array", "minItems": 1, "items": .object(text)]
        case .heartbeat:
            [
                "anyOf": [
                    .object(text), .object(object(of: place == .task ? .taskHeartbeat : .heartbeat)),
                ]
            ]
        case .expect: object(of: .expect)
        case .push: object(of: .push)
        case .transfers: object(of: .transfers)
        case .atOnce: integer(1...TransferRules.mostAtOnce)
        case .hosts where place != .transfers: object(of: .hosts)
        case .hosts:
            [
                "type": "array", "minItems": 1,
                "items": ["type": "string", "pattern": #"^(\*\.)?[A-Za-z0-9_.:-]+$"#],
            ]
        case .windows, .quiet:
            ["type": "array", "items": ["type": "string", "pattern": "[0-9]{1,2}:[0-9]{2} *$"]]
        case .grace: ["anyOf": [["$ref": "#/definitions/duration"], .object(object(of: .grace))]]
        case .budget:
            [
                "anyOf": [
                    ["type": "number", "exclusiveMinimum": 0, "maximum": 1440],
                    .object(object(of: .budget)),
                ]
            ]
        case .concurrency where place == .defaults:
            ["anyOf": [.object(integer(1...1000)), .object(object(of: .concurrency))]]
        case .concurrency where place == .task:
            ["anyOf": [.object(integer(1...1000)), .object(object(of: .taskConcurrency))]]
        case .concurrency, .host, .app: integer(1...1000)
        case .group: ["type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$"]
        case .groups: ["type": "object", "additionalProperties": .object(integer(1...1000))]
        case .attempts: integer(1...100)
        case .priority: integer(-100...100)
        case .nice: integer(-20...19)
        case .processes: integer(1...100_000)
        case .descriptors: integer(32...1 << 20)
        case .network where place == .limits: boolean
        case .network: choices(Requirements.Network.self)
        case .batteryAbove, .fresh: reference("share")
        case .cpu: reference("cores")
        case .loadBelow: ["type": "number", "exclusiveMinimum": 0, "maximum": 100]
        case .diskFree, .memory, .disk, .outputSize, .size, .maxSize, .rate: reference("size")
        case .read, .write: reference("paths")
        case .keepWarm, .repeat, .latest, .timeLimit, .minGap, .first, .max, .warning, .kill, .within,
            .events,
            .output, .spread, .tolerance, .every, .settle, .lease:
            reference("duration")
        }
    }
}
