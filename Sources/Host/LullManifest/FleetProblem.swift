public import LullModel

/// What is wrong with `fleet`, or with what a task says of the fleet.
///
/// None of it quotes the connection, which may hold a secret.
public enum FleetProblem: Sendable, Hashable {
    /// What only a fleet gives a meaning, in a manifest without one.
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
    /// Runs that somebody asks for are not counted among those of the fleet.
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
        case .address(.empty): "`database` says where the fleet's PostgreSQL is, and this is empty"
        case .address(.noValue(let key)):
            "`database` is a URI or a list of KEY=VALUE, and \(quoted(key)) has no `=` after it"
        case .address(.openQuote): "`database` opens a quote with ' and does not close it"
        case .password: "`database` holds a password, which everyone who can read this file learns"
        case .uncheckedServer(let mode):
            "`database` is across a network, and with `sslmode=\(mode)` any server may pose as it"
        case .name(let text):
            "a fleet's name is at most \(FleetDefinition.nameBytes) lower-case letters, digits and '_', "
                + "and begins with a letter; this is \(quoted(text))"
        case .follow: "`follow` is the path of one file, and this is none"
        case .followsItself: "`follow` is a file that Lull writes over, and this is the manifest itself"
        case .labelName(let text):
            "a label's name is at most \(FleetDefinition.labelBytes) letters, digits, '-', '_', '.' and '/', "
                + "and begins with a letter or digit; this is \(quoted(text))"
        case .labelValue(let name):
            "the label \(quoted(name)) needs a value: text of at most \(FleetDefinition.labelBytes) bytes"
        case .tooManyLabels(let count):
            "a host has at most \(FleetDefinition.mostLabels) labels, and these are \(count)"
        case .count(let key, let most):
            "`\(key.rawValue)` of a task's `concurrency` is a whole number from 1 to \(most)"
        case .spread: "`spread` of `hosts` is the name of one label"
        case .spreadUnlabelled(let label):
            "`fleet` gives this host no label \(quoted(label)), so `spread` keeps no other host from this task's runs"
        case .nobodysClock(let matter):
            "\(matter.phrase) is about what the clock asks for, and this task has neither `at` nor `repeat`"
        case .ofContinued(let matter):
            "a person begins a continued task, on the host where they are: \(matter.phrase) is not for it"
        case .preferAlone: "`prefer` chooses among hosts, and each host runs this task itself"
        case .leaseAlone:
            "`lease` is for runs that hosts ask the fleet for, and each host runs this task without asking"
        case .atBoot: "`@reboot` is a time of each host, and `scope: any_host` needs times of the whole fleet"
        case .freshestWithoutUses:
            "`freshest` is the host where this app is used soonest, and nothing tells when it is used"
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
        case .tooManyLabels: "keep those that tasks ask for under `hosts`"
        case .count(let key, _): "write a number, such as `\(key.rawValue): 2`"
        case .spread: "write one, such as `spread: zone`"
        case .spreadUnlabelled(let label): "add it to `labels` of `fleet`, such as `\(label): a`"
        case .nobodysClock: "write `repeat: 1d` or `at: daily 02:30`, or take it out"
        case .ofContinued: "take it out of this task, or write `kind: processing`"
        case .preferAlone: "write `scope: any_host` beside it, or take `prefer` out"
        case .leaseAlone: "write `scope: any_host` beside it, or take `lease` out"
        case .atBoot: "take `@reboot` out, or write `scope: each_host` in this task"
        case .freshestWithoutUses: "write `prefer: idlest`, or name a source of uses for the app"
        case .zoneOfHost: "write `timezone: UTC`, or the zone that is meant"
        }
    }
}
