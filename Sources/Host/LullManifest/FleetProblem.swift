public import LullModel

/// An error in `fleet`, or in a task's keys for the fleet.
///
/// No message quotes the connection, which may hold a secret.
public enum FleetProblem: Sendable, Hashable {
    /// A subject that has a meaning only in a fleet.
    public enum Matter: Sendable, Hashable {
        case scope, hosts, spread, prefer, lease, concurrency, usage

        var phrase: String {
            switch self {
            case .scope: "`scope: any_host`"
            case .hosts: "`hosts`"
            case .spread: "`spread` of `hosts`"
            case .prefer: "`prefer`"
            case .lease: "`lease`"
            case .concurrency: "`concurrency: { fleet: … }`"
            case .usage: "`usage: fleet`"
            }
        }
    }

    case needsFleet(Matter)
    case address(DatabaseAddress.Fault)
    case password
    case uncheckedServer(mode: String)
    case name(String)
    case follow
    case followsItself
    case labelName(String)
    case labelValue(String)
    case tooManyLabels(Int)
    case count(Key, most: Int)
    case spread
    /// This host has no such label.
    case spreadUnlabelled(String)
    /// The task has neither `at` nor `repeat`: the fleet does not count runs that are requested.
    case nobodysClock(Matter)
    case ofContinued(Matter)
    case preferAlone
    case leaseAlone
    case atBoot
    case freshestWithoutUses
    /// `at` in a zone that may be another on each host.
    case zoneOfHost

    var isWarning: Bool {
        switch self {
        case .uncheckedServer, .spreadUnlabelled, .freshestWithoutUses, .zoneOfHost: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .needsFleet(let matter): "\(matter.phrase) needs a fleet, and this manifest has no `fleet`"
        case .address(.empty): "`database` is empty: it says where the fleet's PostgreSQL is"
        case .address(.noValue(let key)):
            "`database` is a URI or a list of KEY=VALUE, but \(quoted(key)) has no `=` after it"
        case .address(.openQuote): "`database` opens a quote with ' and does not close it"
        case .password: "`database` contains a password, and everybody who can read this file can see it"
        case .uncheckedServer(let mode):
            "`database` is across a network, and with `sslmode=\(mode)` any server can pretend to be it"
        case .name(let text):
            "a fleet's name is at most \(FleetDefinition.nameBytes) lower-case letters, digits and '_', "
                + "and begins with a letter; this is \(quoted(text))"
        case .follow: "`follow` must be the path of one file"
        case .followsItself: "`follow` names the manifest itself, and Lull would overwrite it"
        case .labelName(let text):
            "a label's name is at most \(FleetDefinition.labelBytes) letters, digits, '-', '_', '.' and '/', "
                + "and begins with a letter or digit; this is \(quoted(text))"
        case .labelValue(let name):
            "the label \(quoted(name)) needs a value: text of at most \(FleetDefinition.labelBytes) bytes"
        case .tooManyLabels(let count):
            "a host has at most \(FleetDefinition.mostLabels) labels, not \(count)"
        case .count(let key, let most):
            "`\(key.rawValue)` of a task's `concurrency` must be a whole number from 1 to \(most)"
        case .spread: "`spread` of `hosts` must be the name of one label"
        case .spreadUnlabelled(let label):
            "this host has no label \(quoted(label)) under `fleet`, so its runs of this task keep no other host from running it"
        case .nobodysClock(let matter):
            "\(matter.phrase) needs `at` or `repeat`, and this task has neither"
        case .ofContinued(let matter):
            "a continued task runs on the host where a person begins it: \(matter.phrase) is not for it"
        case .preferAlone: "`prefer` chooses among hosts, but each host runs this task itself"
        case .leaseAlone:
            "`lease` is for runs that hosts ask the fleet for, but each host runs this task without asking"
        case .atBoot: "each host has its own `@reboot`, but `scope: any_host` needs times of the whole fleet"
        case .freshestWithoutUses:
            "`freshest` needs to know when this app is used, but the app has no source of uses"
        case .zoneOfHost:
            "`at` without `timezone` means each host's own zone: hosts in different zones run this task at different times"
        }
    }

    var fix: String {
        switch self {
        case .needsFleet(.usage): "write `fleet: { database: service=lull }` at the top, or take it out"
        case .needsFleet: "write `fleet: { database: service=lull }` at the top, or take the key out"
        case .address:
            "write `database: host=/run/postgresql dbname=lull`, or `database: postgresql://lull@db.example.org/lull`"
        case .password:
            "take it out, and keep it in the systemd credential lull-fleet, in a PGPASSFILE or in a service file"
        case .uncheckedServer: "write `sslmode=verify-full`"
        case .name: "write a short name, such as `name: lull`"
        case .follow, .followsItself:
            "write the path of a file that is not there yet, such as `follow: /var/lib/lull/fleet.yaml`"
        case .labelName, .labelValue: "write labels such as `labels: { zone: a }`"
        case .tooManyLabels: "keep only those that tasks name under `hosts`"
        case .count(let key, _): "write a number, such as `\(key.rawValue): 2`"
        case .spread: "write one, such as `spread: zone`"
        case .spreadUnlabelled(let label): "add it to `labels` of `fleet`, such as `\(label): a`"
        case .nobodysClock: "write `repeat: 1d` or `at: daily 02:30`, or take it out"
        case .ofContinued: "take it out of this task, or write `kind: processing`"
        case .preferAlone: "add `scope: any_host`, or take `prefer` out"
        case .leaseAlone: "add `scope: any_host`, or take `lease` out"
        case .atBoot: "take `@reboot` out, or write `scope: each_host` in this task"
        case .freshestWithoutUses: "write `prefer: idlest`, or name a source of uses for the app"
        case .zoneOfHost: "write `timezone: UTC`, or the zone that you mean"
        }
    }
}
