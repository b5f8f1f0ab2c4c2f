import LullModel

/// What is wrong with who is told, with a sign of life, or with what is expected.
///
/// None of it quotes an address, which may hold a secret.
public enum NoticeProblem: Sendable, Hashable {
    case notAList(Found)
    case notASink(Found)
    /// An entry without a key that says who is told.
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
    case broker(String)
    case topic(String)
    case brokerFileMissing(Key, path: String)
    case hostPattern(String)
    case noHosts

    var isWarning: Bool {
        switch self {
        case .programMissing, .secretMissing, .brokerFileMissing: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .notAList(let found): "`notify` takes a list of who is told, not \(found.phrase)"
        case .notASink(let found): "an entry of `notify` is keys and values, not \(found.phrase)"
        case .saysNoSink:
            "an entry of `notify` says who is told: mail, command, webhook, journal or desktop, and this does not"
        case .twoSinks(let first, let second):
            "an entry of `notify` is told in one way, and this by '\(first.rawValue)' and '\(second.rawValue)'"
        case .twice: "this one stands in the list for the second time"
        case .toldOfNothing: "`on` is empty, so this one would be told of nothing"
        case .address: "this is no address that mail can be sent to"
        case .emptyCommand: "`command` is a program and its arguments, and this is empty"
        case .commandIsNotText: "a word of `command` is text, and this is not"
        case .programMissing(let path): "there is no program \(quoted(path)): nobody is told by it"
        case .webAddress(let key): "`\(key.rawValue)` is an address that begins with https:// or http://"
        case .isOff(let key): "`\(key.rawValue)` is true or not there"
        case .expectation(let text):
            "`at_least` is a number of runs in a span, such as 1/48h, not \(quoted(text))"
        case .expectedTooOften(let most): "`at_least` counts at most \(most) runs"
        case .quota(let text, let most):
            "`quota` is a number of pushes up to \(most) in a span from 1m to 1d, such as 3/1h, not \(quoted(text))"
        case .secretMissing(let path): "there is no file \(quoted(path)): no signature is right"
        case .broker(let text):
            "`broker` is an address that begins with mqtts:// or mqtt://, not \(quoted(text))"
        case .topic(let text): "\(quoted(text)) is no topic that a broker takes"
        case .brokerFileMissing(let key, let path):
            "there is no file \(quoted(path)) for `\(key.rawValue)`: the broker can't be reached"
        case .hostPattern(let text): "\(quoted(text)) is not the name of a host"
        case .noHosts: "`hosts` is empty, so there would be no host to transfer with"
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
        case .programMissing: "mend the path, or install it"
        case .webAddress(.heartbeat), .webAddress(.url): "write `https://…` as the service shows it"
        case .webAddress: "write `webhook: https://…`; only printable characters without spaces"
        case .isOff(let key): "write `\(key.rawValue): true`, or take the entry out"
        case .expectation: "write `expect: { at_least: 1/48h }`"
        case .quota: "write `quota: 3/1h`"
        case .broker:
            "write `broker: mqtts://broker.example.org`, with the port behind it where it is not 8883"
        case .topic:
            "write `+` for any one level and `#` for all that follow, as in `topics: [home/+/door, mail/#]`"
        case .hostPattern:
            "write names without a scheme, a port and a path: `hosts: [downloads.example.org, \"*.example.net\"]`"
        case .noHosts: "name some, or leave `hosts` out for any host"
        case .brokerFileMissing: "make it, readable by the host alone, or mend the path"
        case .secretMissing: "make it with `openssl rand -hex 32 > FILE; chmod 600 FILE`"
        case .expectedTooOften: "expect fewer in a shorter span, such as `at_least: 1/1h`"
        }
    }
}
