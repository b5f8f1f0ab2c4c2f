import LullModel

/// An error in `notify`, in `heartbeat` or in `expect`.
///
/// No message quotes an address, which may hold a secret.
public enum NoticeProblem: Sendable, Hashable {
    case notAList(Found)
    case notASink(Found)
    /// An entry without a key that names the recipient.
    case saysNoSink
    case twoSinks(Key, Key)
    case twice
    case toldOfNothing
    case address
    case emptyCommand
    case commandIsNotText
    case programMissing(path: String)
    case webAddress(Key)
    case isOff(Key)
    case expectation(String)
    case expectedTooOften(most: Int)
    case quota(String, most: Int)
    case secretMissing(path: String)
    case secretOpen(Breach)
    case secretReadable(path: String)
    case broker(String)
    case topic(String)
    case brokerFileMissing(Key, path: String)
    case hostPattern(String)
    case noHosts

    var isWarning: Bool {
        switch self {
        case .programMissing, .secretMissing, .secretReadable, .brokerFileMissing: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .notAList(let found): "`notify` must be a list of sinks, not \(found.phrase)"
        case .notASink(let found): "an entry of `notify` must be keys and values, not \(found.phrase)"
        case .saysNoSink:
            "an entry of `notify` needs one of the keys mail, command, webhook, journal or desktop"
        case .twoSinks(let first, let second):
            "an entry of `notify` has one sink, but this one has '\(first.rawValue)' and '\(second.rawValue)'"
        case .twice: "this sink appears twice in the list"
        case .toldOfNothing: "`on` is empty, so this sink would get no notices"
        case .address: "mail can't be sent to this address"
        case .emptyCommand: "`command` is empty: it must be a program and its arguments"
        case .commandIsNotText: "each word of `command` must be text"
        case .programMissing(let path):
            "there is no program \(quoted(path)), so this sink will get no notices"
        case .webAddress(let key): "`\(key.rawValue)` must be a URL that begins with https:// or http://"
        case .isOff(let key): "`\(key.rawValue)` can only be true"
        case .expectation(let text):
            "`at_least` must be a number of runs in a span, such as 1/48h, not \(quoted(text))"
        case .expectedTooOften(let most): "`at_least` counts at most \(most) runs"
        case .quota(let text, let most):
            "`quota` must be a number of pushes up to \(most) in a span from 1m to 1d, such as 3/1h, not \(quoted(text))"
        case .secretMissing(let path): "there is no file \(quoted(path)), so Lull can't verify any signature"
        case .secretOpen(let breach): "\(breach.message), and so sign pushes with a secret of their own"
        case .secretReadable(let path):
            "the mode of \(quoted(path)) lets every user of this machine read it, and so sign pushes"
        case .broker(let text):
            "`broker` must be an address that begins with mqtts:// or mqtt://, not \(quoted(text))"
        case .topic(let text): "\(quoted(text)) is not a valid topic"
        case .brokerFileMissing(let key, let path):
            "there is no file \(quoted(path)) for `\(key.rawValue)`: the broker can't be reached"
        case .hostPattern(let text): "\(quoted(text)) is not the name of a host"
        case .noHosts: "`hosts` is empty, so the app could transfer with no host"
        }
    }

    var fix: String {
        switch self {
        case .notAList, .notASink, .saysNoSink:
            "write `notify: [{ mail: ops@example.org, on: [failed, overdue] }]`"
        case .twoSinks: "make each an entry of the list, with a `-` of its own"
        case .twice: "take it out, or give both `on` lists to one"
        case .toldOfNothing:
            "write `on: [failed]`, or leave `on` out for all kinds but output"
        case .address: "write an address, such as `mail: ops@example.org`, or a user of this machine"
        case .emptyCommand, .commandIsNotText: "write a list: `command: [/usr/local/bin/page, --urgent]`"
        case .programMissing: "correct the path, or install it"
        case .webAddress(.heartbeat), .webAddress(.url): "write `https://…` as the service shows it"
        case .webAddress: "write `webhook: https://…`; only printable characters without spaces"
        case .isOff(let key): "write `\(key.rawValue): true`, or take the entry out"
        case .expectation: "write `expect: { at_least: 1/48h }`"
        case .quota: "write `quota: 3/1h`"
        case .broker:
            "write `broker: mqtts://broker.example.org`, with the port after it unless it is 8883"
        case .topic:
            "write `+` for any one level and `#` for all that follow, as in `topics: [home/+/door, mail/#]`"
        case .hostPattern:
            "write names without a scheme, a port and a path: `hosts: [downloads.example.org, \"*.example.net\"]`"
        case .noHosts: "name some, or leave `hosts` out for any host"
        case .brokerFileMissing: "create it, readable only by the host, or correct the path"
        case .secretMissing: "create it with `openssl rand -hex 32 > FILE; chmod 600 FILE`"
        case .secretOpen(let breach): breach.fix
        case .secretReadable(let path): "run `chmod o-r \(path)`"
        case .expectedTooOften: "expect fewer in a shorter span, such as `at_least: 1/1h`"
        }
    }
}
