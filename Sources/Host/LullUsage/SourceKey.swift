import LullModel

/// A source of one app: two apps may learn from the same log, each in its own way.
struct SourceKey: Hashable {
    let app: AppIdentifier
    let source: UsageSource

    /// The key of its place in `UsagePlaces`. Another `match` is another source: its log is read anew.
    var text: String {
        let (kind, parts): (String, [String]) =
            switch source {
            case .log(let path, let match, let time): ("log", [path, match ?? "", Self.text(time)])
            case .login(let user): ("login", [user ?? ""])
            case .journal(let unit, let match): ("journal", [unit, match ?? ""])
            case .access(let path): ("access", [path])
            }
        // FNV-1a; no part contains a zero byte.
        let bytes = parts.joined(separator: "\0").utf8
        let hash: UInt64 = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\(app) \(kind) \(String(hash, radix: 16))"
    }

    private static func text(_ time: UsageSource.TimeFormat) -> String {
        switch time {
        case .common: "common"
        case .rfc3339: "rfc3339"
        case .strptime(let format): format
        }
    }
}
