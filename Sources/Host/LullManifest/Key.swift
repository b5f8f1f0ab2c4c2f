/// Every key of the manifest, of all places.
public enum Key: String, Sendable, Hashable, CaseIterable {
    case version, include, defaults, apps
    case plugin, description, enabled, settings, usage, user, limits, sha256, tasks
    case idleAfter = "idle_after"
    case idleClock = "idle_clock"
    case keepWarm = "keep_warm"
    case at, missed, spread, tolerance
    case kind, `repeat`, requires, windows, quiet, except, only, from, until, timezone, grace, concurrency,
        budget, objective, retry,
        latest, priority, nice, ionice, leaves, group, groups
    case timeLimit = "time_limit"
    case whileRunning = "while_running"
    case minGap = "min_gap"
    case network, idle
    case externalPower = "external_power"
    case batteryAbove = "battery_above"
    case loadBelow = "load_below"
    case diskFree = "disk_free"
    case exitCodes = "exit_codes"
    case attempts, first, max, warning, kill, host, app, log, match, time, login, journal, unit, access
    case fresh, within
    case path, settle, after, task, outcome, device, subsystem, name
    case retention, events, output, size
    case outputSize = "output_size"
    case notify, mail, command, webhook, on, heartbeat, url, fail, every, expect
    case atLeast = "at_least"
    case push, quota
    case costLimit = "cost_limit"
    case processor, written
    case maxSize = "max_size"
    case secretFile = "secret_file"
    case mqtt, broker, topics, username, urgent
    case passwordFile = "password_file"
    case caFile = "ca_file"
    case memory, cpu, processes, descriptors, disk, read, write, privileges
    case notifications, desktop
    case transfers, rate, hosts
    case atOnce = "at_once"
    case fleet, database, labels, follow, scope, prefer, lease
    case params, `default`
    case oneOf = "one_of"

    /// Keys that later versions will know; refused until then, so that a file of version 1 never changes its
    /// meaning.
    static let reserved = ["store"]

    /// An example of the key, for the remedies.
    var example: String {
        switch self {
        case .version: "version: 1"
        case .include: "include: [jobs.d/*.yaml]"
        case .defaults: "defaults: { idle_after: 7d }"
        case .apps: "apps: { com.example.ColorFeed: … }"
        case .plugin: "plugin: ColorFeed"
        case .description: "description: Colours of the day"
        case .enabled: "enabled: true"
        case .settings: "settings: { feed: feed.json }"
        case .usage: "usage: manual"
        case .user: "user: nobody"
        case .limits: "limits: { memory: 1GiB }"
        case .costLimit: "cost_limit: { processor: 10m/1d }"
        case .processor: "processor: 10m/1d"
        case .written: "written: 5GiB/1d"
        case .sha256: "sha256: 9f86d081…"
        case .tasks: "tasks: { refresh: { kind: refresh } }"
        case .idleAfter: "idle_after: 7d"
        case .idleClock: "idle_clock: wall"
        case .keepWarm: "keep_warm: 10m"
        case .kind: "kind: refresh"
        case .repeat: "repeat: 15m"
        case .at: "at: \"30 2 * * *\""
        case .missed: "missed: one"
        case .spread: "spread: 10m"
        case .tolerance: "tolerance: 5m"
        case .requires: "requires: { network: any }"
        case .windows: "windows: [\"01:00-05:00\"]"
        case .quiet: "quiet: [\"Sun 02:00-04:00\"]"
        case .except: "except: [2026-12-24, \"calendar:holidays.ics\"]"
        case .only: "only: [2026-12-24]"
        case .from: "from: 2026-12-01"
        case .until: "until: 2027-03-31"
        case .timezone: "timezone: Europe/Berlin"
        case .grace: "grace: 5s"
        case .concurrency: "concurrency: 4"
        case .budget: "budget: 8"
        case .objective: "objective: both"
        case .retry: "retry: { attempts: 3, first: 30s }"
        case .latest: "latest: 2d"
        case .priority: "priority: 0"
        case .nice: "nice: 10"
        case .ionice: "ionice: idle"
        case .leaves: "leaves: running"
        case .group: "group: database"
        case .groups: "groups: { database: 2 }"
        case .timeLimit: "time_limit: 10m"
        case .whileRunning: "while_running: end"
        case .minGap: "min_gap: 15m"
        case .network: "network: any"
        case .idle: "idle: true"
        case .externalPower: "external_power: true"
        case .batteryAbove: "battery_above: 20%"
        case .loadBelow: "load_below: 0.5"
        case .diskFree: "disk_free: 1GiB"
        case .first: "first: 30s"
        case .attempts: "attempts: 3"
        case .exitCodes: "exit_codes: [75]"
        case .max: "max: 5h"
        case .warning: "warning: 5s"
        case .kill: "kill: 5s"
        case .host: "host: 4"
        case .app: "app: 4"
        case .log: "log: /var/log/nginx/access.log"
        case .match: "match: 'GET /feed'"
        case .time: "time: common"
        case .login: "login: any"
        case .journal: "journal: { unit: nginx.service }"
        case .unit: "unit: nginx.service"
        case .access: "access: /srv/feed"
        case .fresh: "fresh: 70%"
        case .within: "within: 60m"
        case .size: "size: 1GiB"
        case .retention: "retention: { events: 400d, output: 90d, size: 1GiB }"
        case .events: "events: 400d"
        case .output: "output: 90d"
        case .outputSize: "output_size: 64KiB"
        case .notify: "notify: [{ mail: ops@example.org }]"
        case .mail: "mail: ops@example.org"
        case .command: "command: [/usr/local/bin/page]"
        case .webhook: "webhook: https://hooks.example.org/…"
        case .on: "on: [failed, overdue]"
        case .path: "path: /srv/in/*.csv"
        case .settle: "settle: 1s"
        case .after: "after: fetch"
        case .task: "task: fetch"
        case .outcome: "outcome: success"
        case .device: "device: sd*"
        case .subsystem: "subsystem: block"
        case .name: "name: sd*"
        case .heartbeat: "heartbeat: https://hc-ping.com/…"
        case .url: "url: https://hc-ping.com/…"
        case .fail: "fail: true"
        case .every: "every: 5m"
        case .expect: "expect: { at_least: 1/48h }"
        case .atLeast: "at_least: 1/48h"
        case .push: "push: { quota: 3/1h }"
        case .quota: "quota: 3/1h"
        case .maxSize: "max_size: 64KiB"
        case .secretFile: "secret_file: push.secret"
        case .mqtt: "mqtt: { broker: mqtts://broker.example.org, topics: [home/door/+] }"
        case .broker: "broker: mqtts://broker.example.org"
        case .topics: "topics: [home/door/+]"
        case .username: "username: lull"
        case .urgent: "urgent: true"
        case .passwordFile: "password_file: mqtt.password"
        case .caFile: "ca_file: /etc/ssl/certs/broker.pem"
        case .memory: "memory: 512MiB"
        case .cpu: "cpu: 80%"
        case .processes: "processes: 64"
        case .descriptors: "descriptors: 256"
        case .disk: "disk: 1GiB"
        case .read: "read: [/srv/feed]"
        case .write: "write: [/srv/feed]"
        case .privileges: "privileges: keep"
        case .notifications: "notifications: true"
        case .desktop: "desktop: true"
        case .transfers: "transfers: {}"
        case .rate: "rate: 2MiB"
        case .hosts: "hosts: [downloads.example.org]"
        case .atOnce: "at_once: 4"
        case .fleet: "fleet: { database: service=lull }"
        case .database: "database: service=lull"
        case .labels: "labels: { zone: a }"
        case .follow: "follow: /var/lib/lull/fleet.yaml"
        case .scope: "scope: any_host"
        case .prefer: "prefer: freshest"
        case .lease: "lease: 10m"
        case .params: "params: { level: { default: info, one_of: [info, debug] } }"
        case .default: "default: info"
        case .oneOf: "one_of: [info, debug]"
        }
    }

    /// An example of the key in a place, for keys that mean something else in another place.
    func example(in place: Place) -> String {
        switch (self, place) {
        case (.hosts, .transfers): example
        case (.hosts, _): "hosts: { labels: { role: web } }"
        case (.spread, .hosts): "spread: zone"
        case (.read, .costLimit): "read: 20GiB/1d"
        case (.name, .fleet): "name: lull"
        case (.match, .param): "match: '[0-9]{4}-[0-9]{2}-[0-9]{2}'"
        case (.fleet, .taskConcurrency): "fleet: 2"
        default: example
        }
    }

    /// Whether the mapping that may hold the key must hold it.
    var isRequired: Bool {
        switch self {
        case .version, .apps, .plugin, .kind, .log, .time, .login, .journal, .unit, .access, .fresh, .url,
            .atLeast, .task, .broker, .topics, .database, .default:
            true
        default: false
        }
    }

    /// Whether the key may stand there with nothing after it.
    var mayBeEmpty: Bool {
        switch self {
        case .defaults, .apps, .tasks, .settings, .requires, .push, .transfers: true
        default: false
        }
    }
}
