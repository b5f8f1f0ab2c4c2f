import LullModel

/// The meaning of each key, and the shape of its value: for the schema, for editors and for jobs.yaml(5). There is no default
/// case: a new key needs both here.
extension Key {
    public func meaning(in place: Place) -> String {
        switch self {
        case .version: "The version of the manifest's language: 1."
        case .include:
            "Other files of the manifest: paths or patterns such as jobs.d/*.yaml, from this file's folder. They may contain all the apps."
        case .defaults: "What apps and tasks inherit."
        case .apps: "The apps, each under its identifier in reverse DNS."
        case .plugin:
            "The shared library: a name looked up in the plugin path, or a path from the manifest's folder."
        case .description: "A text for people."
        case .enabled:
            place == .app
                ? "false: none of its tasks is launched. Default true."
                : "false: it is not launched. Default true."
        case .settings: "Handed to the plugin as JSON, at most 64 KiB. Any YAML; the key `lull` is reserved."
        case .usage:
            "Where uses are learned from: a list of sources, or `manual`, if only `lull used` records them. `fleet`, alone or in the list: uses on other hosts count too."
        case .user:
            "The user that the app runs as. `host`: the user who runs lull. Only root may name another user. Default: an account of the app's own if root runs lull, otherwise the user who runs lull."
        case .limits where place == .task:
            "What one run may use, if each run has a worker of its own, as with the plugin Command. Default: as its app."
        case .limits: "What the app may use and reach on the machine."
        case .costLimit:
            place == .top
                ? "What the runs of all apps together may cost in any span of time. Default no limit."
                : "What the app's runs may cost in any span of time. Lull launches its tasks again when enough of that is longer ago. Default no limit."
        case .processor:
            "The most time on the processors, in user and in system mode, in any span of this length: 10m/1d. Default no limit."
        case .written:
            "The most bytes written to storage in any span of this length: 5GiB/1d. Default no limit."
        case .sha256:
            "The SHA-256 of the plugin's file, as `sha256sum` prints it. Lull loads no other file. Default any file."
        case .notifications: "true: the plugin may send people notifications. Default false."
        case .desktop: "true: show the notice on the desktop of the user who runs lull, if that user has one."
        case .tasks: "The permitted tasks. A name without a dot is short for APP.NAME."
        case .idleAfter:
            "After this time without a use, the app is idle: Lull does not launch it until it is used again. A duration, or `never`. Default 7d."
        case .idleClock:
            "How idle_after counts time. wall: by the wall clock. host: without the time in which the host was off or asleep. Default wall."
        case .keepWarm: "How long Lull keeps an app's worker process after its last run. Default 10m."
        case .kind:
            "What the task may be launched as. refresh: short, at moments that the forecast chooses. processing: longer, with constraints. continued: a person begins it."
        case .repeat:
            "How long after the start of a run the next launch is due. For a refresh this is the least gap, and the forecast chooses the moment."
        case .at:
            "Exact times, one or a list: a cron expression, a word such as @daily, or words such as `daily 02:30`. Not together with repeat."
        case .missed:
            "What Lull does about missed times of `at`: one launch for all of them (one), one for each (all), or none (skip). Default one."
        case .spread:
            place == .hosts
                ? "A label's name: the task never runs at once on two hosts with the same value of it."
                : "Delays each time of `at` by a part of this duration. The delay differs between hosts, and stays the same on each host. Default 0s."
        case .tolerance:
            "How late after a time of `at` Lull may still launch the task. Later, the time counts as missed. Default 5m."
        case .requires: "Constraints: if one is false, the task waits; it is never skipped."
        case .whileRunning:
            "What happens to a run when a condition in `requires` ends: end (Lull expires the run), or go_on. Default end; for the plugin Command go_on."
        case .windows:
            "The times at which the task may be launched: \"01:00-05:00\", \"Sat,Sun 22:00-07:00\". Default always."
        case .quiet:
            "The times at which Lull launches nothing, for example during maintenance: \"Sun 02:00-04:00\". Default never."
        case .except:
            "Days on which no time of `at` comes and no window opens: 2026-12-24, 2026-12-24..2027-01-02, 12-24 of each year, Sat, or the events of an iCalendar file, \"calendar:holidays.ics\". Default none."
        case .only:
            "The only days on which a time of `at` comes or a window opens, written as in `except`, which outweighs it. Default all."
        case .from: "The first day on which Lull launches the task: 2026-12-01. Default no limit."
        case .until: "The last day on which Lull launches the task: 2027-03-31. Default no limit."
        case .timezone:
            "The time zone of `at`, `windows`, `quiet` and the days: a name of the zone database. Default the host's."
        case .grace:
            "How long before its time limit Lull warns a run (warning), and how long after the warning Lull kills it (kill, or the duration alone). Default 5s each."
        case .concurrency:
            place == .defaults
                ? "How many runs may go on at once, on the host and in each app. Default 4 each."
                : place == .app
                    ? "How many runs of this app may go on at once. Default 4."
                    : "How many runs of this task may go on at once: on each host, or on the whole fleet (fleet) and on each host (host). Default 1 on each host."
        case .budget:
            "Of a refresh: how many launches a day, on average, this task adds to the refresh budget of all apps; or which share of uses should find fresh data. Of processing: how many launches a day it adds to what its app may submit. Default 8."
        case .objective:
            "What Lull plans the refreshes for. hits: as many uses as possible find fresh data. staleness: the data is young on average. both: young data, with a bonus for fresh data. Default both; hits if budget is a share."
        case .retry:
            "How many times Lull runs the task for one time or event (attempts), and how long it waits after a failure: first, then twice as long each time, up to max. Default 30s and 5h."
        case .latest:
            "The longest wait for a good moment. Once all gates have been open for this long in total, Lull launches the task anyway."
        case .priority: "A task with a higher number is launched first. Default 0."
        case .nice: "The niceness of a run. If runs share a worker: the least of their tasks. Default 0."
        case .ionice: "idle: a run reads and writes only when nobody else uses the disk. Default normal."
        case .leaves:
            "What happens to processes that a run leaves behind: Lull ends them with the run (ended), or they go on while the host runs (running). Default ended."
        case .group:
            "A name that tasks of any apps share: as many of them run at once as `groups` says, or else one. Default none."
        case .groups: "How many tasks of each group run at once. Default 1."
        case .timeLimit:
            "How long a run may take. Default: refresh 30s, processing 10m (1d for the plugin Command), continued no limit."
        case .minGap: "The least time between two refresh launches of the app. Default 15m."
        case .network:
            place == .limits
                ? "false: the app may use only local sockets. Default true."
                : "any: the host has a default route. unmetered: its default route is not metered."
        case .idle:
            "true: the task runs only while the host is idle. false: it also runs while the host is in use. Default: processing prefers an idle host."
        case .externalPower: "true: the host has external power."
        case .batteryAbove: "The batteries together are charged above this share."
        case .loadBelow: "The load average per core is below this number."
        case .diskFree: "At least this much is free on the disk of the state folder."
        case .attempts:
            "How many times Lull runs the task for one time of `at`, event of `on` or turn of `repeat`, including the first. Default 1; for `repeat` no limit."
        case .exitCodes:
            "The exit codes after which Lull runs the task again. After another code, or a failure without one, it does not. Default: after every failure."
        case .first: "How long Lull waits after the first failure. Default 30s."
        case .max: "The longest wait after a failure. Default 5h."
        case .warning:
            "How long before the time limit Lull expires a run. Default 5s, at most half of the limit; for the plugin Command 0s."
        case .kill: "How long after the expiration of a run Lull kills its process group. Default 5s."
        case .host:
            place == .taskConcurrency
                ? "How many runs of this task may go on at once on each host. Default 1."
                : "How many runs may go on at once on the host. Default 4."
        case .app: "How many runs of each app may go on at once. Default 4."
        case .log: "A log file: each line that matches is a use."
        case .match where place == .param:
            "Which values a launch may give: a POSIX extended regular expression for the whole value. Default any."
        case .match: "Which lines are uses: a POSIX extended regular expression. Default every line."
        case .time: "The format of the time in a line: common, rfc3339, or a strptime format."
        case .login where place == .event: "A user who logs in; `any`: anybody."
        case .login: "A user whose logins are uses; `any`: anybody's."
        case .journal where place == .notify:
            "true: write the notice to systemd's journal or, without a journal, to the host's log."
        case .notify:
            "Whom Lull notifies of failures, delays, idleness, recovery and output. `[]` notifies nobody, even if an app or `defaults` has sinks."
        case .mail: "An address, or a user of this machine: sendmail sends the notice there."
        case .command: "A program with its arguments. It gets the notice on its standard input, as JSON."
        case .webhook: "A URL. Lull POSTs each notice there, as JSON."
        case .on where place == .task:
            "Events that launch the task, one or a list: path, after, device, login, resume, network, external_power, boot. Alone, or together with repeat or at."
        case .on: "Which notices this sink gets: one kind, or a list. Default all kinds but output."
        case .path:
            "A file that appears or changes: one file, any file in a folder, or a pattern of names in a folder, such as /srv/in/*.csv."
        case .settle: "How long a file must stay unchanged before it counts. Default 1s."
        case .after:
            "A task whose run ends: its name, or task and outcome. With a list, this task waits until all of them have ended since its own last run."
        case .task: "The task that must end first. A name without a dot is short for APP.NAME."
        case .outcome: "How the run of that task must end: success, failure or any. Default success."
        case .device: "A device that is plugged in: its name in /dev, or name and subsystem."
        case .subsystem: "The kernel's name for the kind of device: block, usb, tty, net."
        case .name where place == .fleet:
            "The fleet's name: lower-case letters, digits and _. If several fleets share a database, each needs its own name. Default lull."
        case .name: "The device's name in /dev. `*` stands for any characters, `?` for any one."
        case .heartbeat where place == .task:
            "The URL of a dead-man's switch. Lull requests it after each run that succeeds."
        case .heartbeat: "The URL of a dead-man's switch. Lull requests it while the host is alive."
        case .url: "The URL."
        case .fail: "true: Lull also reports failures to it. Default false."
        case .every: "How often Lull requests the URL. Default 5m."
        case .expect: "How many runs must succeed. If fewer do, Lull sends a notice."
        case .atLeast: "How many runs must succeed in any span of this length, such as 1/48h."
        case .journal: "A unit in systemd's journal: each message that matches is a use."
        case .unit: "The unit's name; `.service` may be left out."
        case .access:
            "A file or a folder: a use is when somebody opens, reads or writes the file or an entry of the folder."
        case .fresh: "The share of uses that should find fresh data: above 0%, up to 99%."
        case .push:
            "Lets messages from outside wake the app. Lull delivers silent pushes within a quota, and urgent ones at once. Each delivery is a run of APP.push."
        case .quota:
            "The most silent pushes that Lull delivers in any span of this length. Default 3/1h: 3 an hour."
        case .within where place == .push:
            "How long a silent push waits for a good moment. Default 15m."
        case .transfers:
            "Lets the app download and upload files in the background, even while it does not run. Runs of APP.transfers tell the app how its transfers ended."
        case .fleet where place == .taskConcurrency:
            "How many runs of this task may go on at once on all hosts of the fleet together. Default no limit."
        case .fleet:
            "A database that several hosts share, so that one of them runs each task with `scope: any_host`."
        case .database:
            "Where the fleet's PostgreSQL database is: a URI or a list of KEY=VALUE, as libpq takes it, without a password."
        case .labels where place == .hosts:
            "A host runs the task only if it has all of these labels. Default none."
        case .labels:
            "Names and values that describe this host, such as `zone: a`. Tasks choose hosts by them. Default none."
        case .follow:
            "The path of a file. The host writes the manifest of `lull fleet apply` into it, and runs that in addition to its own."
        case .scope:
            "each_host: every host of the fleet runs the task. any_host: one of them does, for each of its times. Default each_host."
        case .prefer:
            "Which of several free hosts runs the task. freshest: where its app is likely to be used soonest. idlest: where the least goes on. cheapest: where power and network cost the least. Default the first host that asks."
        case .lease:
            "How long a run in the fleet goes on if the database does not answer, counted from its last answer. If a host is lost, another one takes the slot over 30 s after that time. Default a twelfth of time_limit, from 1m to 10m."
        case .atOnce: "How many transfers of the app may go on at once. Default 4."
        case .rate: "The most bytes a second for all the app's transfers together. Default no limit."
        case .hosts where place != .transfers:
            "Which hosts of the fleet may run the task: only hosts with these labels (labels), and never two with the same value of a label at once (spread). Default all."
        case .hosts:
            "The hosts with which the app may transfer: names, or `*.example.org` for all names below one. Default any."
        case .maxSize where place == .transfers: "The largest file that the app may transfer. Default 10GiB."
        case .maxSize: "The longest payload that Lull accepts, at most 100KiB. Default 64KiB."
        case .secretFile:
            "A file. Its first line is the secret with which a forge signs its webhooks."
        case .mqtt: "An MQTT broker. Its messages are pushes to the app."
        case .broker:
            "The broker's address: mqtts://HOST, or mqtt://HOST without encryption, also with :PORT."
        case .topics: "The topics to subscribe to. + stands for any one level, # for all that follow."
        case .username: "The name with which the host logs in at the broker. Default: it does not log in."
        case .passwordFile: "A file. Its first line is the password for the broker."
        case .caFile:
            "A file with the certificates that verify the broker's certificate. Default the system's."
        case .urgent: "true: the broker's messages are urgent pushes. Default false."
        case .within: "Up to which age data counts as fresh: 15m to 24h. Default 60m."
        case .params:
            "Values that `lull launch --param NAME=VALUE` may give to one run, each with its default. A command finds them in LULL_PARAM_NAME. They are shown to people: no secrets."
        case .default: "The value in every launch that gives no other."
        case .oneOf: "The only values that a launch may give. Default any."
        case .retention: "How long the history keeps events and output, and how large it may grow."
        case .events: "How long the history keeps events. Default 400d."
        case .output: "How long the history keeps the output of runs. Default 90d."
        case .outputSize:
            "How much of each run's output the history keeps: the first and the last half of this size. Default, and at most, 64KiB."
        case .size:
            "How much disk space the history may use. Beyond this, Lull deletes the oldest output, then the events of successful runs. Default 1GiB."
        case .memory: "The most memory for all processes of a worker together. Default half of the machine's."
        case .cpu:
            "The most processor time of a worker, on average over 60 s; 100% is one core. Default no limit."
        case .processes: "The most processes of a worker, including itself. Default 512."
        case .descriptors: "The most open files of each process. Default the host's limit."
        case .disk: "The most disk space for the app's state folder. Default no limit."
        case .read where place == .costLimit:
            "The most bytes read from storage in any span of this length: 20GiB/1d. Default no limit."
        case .read:
            "What the app may read, besides what every program needs: paths, or `all`. Default all."
        case .write:
            "What the app may write, besides its state folder and the folders for temporary files: paths, or `all`. Default none."
        case .privileges:
            "keep: the app has all rights of its user, and read, write and network can't be limited. Default drop."
        }
    }
}

extension ManifestSchema {
    /// A date or two, a weekday or some, `every 2w from …`, or a file.
    private static let dayPattern =
        "^ *([0-9]{4}-[0-9]{2}-[0-9]{2}(\\.\\.[0-9]{4}-[0-9]{2}-[0-9]{2})?|[0-9]{2}-[0-9]{2}(\\.\\.[0-9]{2}-[0-9]{2})?"
        + "|[A-Za-z]{3}([-,][A-Za-z]{3})*|[Ee]very +[0-9]+[smhdw] +from +[0-9]{4}-[0-9]{2}-[0-9]{2}) *$|^calendar: *[^ ]"

    private static let bytesInSpan = "^0*[1-9][0-9]*(B|KiB|MiB|GiB|TiB)/[0-9]*[smhdw]$"

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
        case .database, .follow, .default: text
        case .params:
            [
                "type": "object", "propertyNames": ["pattern": .string(TaskParam.namePattern)],
                "additionalProperties": ["anyOf": [.object(text), .object(object(of: .param))]],
            ]
        case .oneOf: ["type": "array", "minItems": 1, "items": .object(text)]
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
        case .limits: object(of: place == .task ? .taskLimits : .limits)
        case .costLimit: object(of: .costLimit)
        case .processor: matching(#"^0*[1-9][0-9]*[smhdw]/[0-9]*[smhdw]$"#)
        case .written: matching(bytesInSpan)
        case .read where place == .costLimit: matching(bytesInSpan)
        case .sha256: ["type": ["string", "number"], "pattern": "^[0-9a-f]{64}$"]
        case .idleAfter: ["anyOf": [["enum": ["never"]], ["$ref": "#/definitions/duration"]]]
        case .idleClock: choices(App.IdleClock.self)
        case .kind: choices(ManifestDecoder.TaskKind.self)
        case .objective: choices(Objective.self)
        case .missed: choices(MissedTimes.self)
        case .ionice: choices(IOUrgency.self)
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
        case .except, .only:
            ["type": "array", "items": ["type": "string", "pattern": .string(dayPattern)]]
        case .from, .until: ["type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
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
        case .exitCodes: ["type": "array", "minItems": 1, "items": .object(integer(1...255))]
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
