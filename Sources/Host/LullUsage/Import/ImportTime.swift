public import LullModel

/// The format of the times in a file of uses, as `--time` names it.
public enum ImportTime: Sendable, Hashable {
    /// Any of these: unix seconds or finer, RFC 3339, `2026-11-21 08:00`, the common log format's.
    case automatic
    case unix
    case unixMilliseconds
    case format(UsageSource.TimeFormat)

    /// Nil if the text is neither one of these words nor a format of strptime with known conversions.
    public init?(_ text: String) {
        switch text {
        case "auto": self = .automatic
        case "unix": self = .unix
        case "unix_ms": self = .unixMilliseconds
        case "common": self = .format(.common)
        case "rfc3339": self = .format(.rfc3339)
        default:
            guard text.contains("%"), !TimePattern(strptime: text).items.contains(.never) else { return nil }
            self = .format(.strptime(text))
        }
    }

    /// The expected format, for messages.
    var expected: String {
        switch self {
        case .automatic:
            "RFC 3339 like 2026-11-21T08:00:00Z, '2026-11-21 08:00', or the seconds or milliseconds since 1970"
        case .unix: "the seconds since 1970"
        case .unixMilliseconds: "the milliseconds since 1970"
        case .format(.common): "a time as the common log format has it, like [21/Nov/2026:08:00:00 +0100]"
        case .format(.rfc3339): "a time as in RFC 3339, like 2026-11-21T08:00:00Z"
        case .format(.strptime(let format)): "a time written as '\(format)'"
        }
    }
}

/// Reads times in the format of an `ImportTime`; a time without an offset is in `zone`.
struct ImportClock {
    let time: ImportTime
    let zone: Zone
    let now: WallTime
    private let readers: [UsageTime]

    init(time: ImportTime, zone: Zone, now: WallTime) {
        self.time = time
        self.zone = zone
        self.now = now
        readers =
            switch time {
            case .automatic: Self.automatic
            case .unix, .unixMilliseconds: []
            case .format(let format): [UsageTime(format)]
            }
    }

    private static let automatic = [
        UsageTime(.rfc3339), UsageTime(.common), UsageTime(.strptime("%d/%b/%Y:%H:%M:%S %z")),
        UsageTime(.strptime("%Y-%m-%d %H:%M:%S %z")), UsageTime(.strptime("%Y-%m-%dT%H:%M:%S%z")),
        UsageTime(.strptime("%Y-%m-%d %H:%M:%S")), UsageTime(.strptime("%Y-%m-%dT%H:%M:%S")),
        UsageTime(.strptime("%Y-%m-%d %H:%M")), UsageTime(.strptime("%Y-%m-%dT%H:%M")),
        UsageTime(.strptime("%a %b %e %H:%M:%S %Y %z")),
    ]

    /// The time that a field holds, apart from spaces around it.
    func whole(_ field: ArraySlice<UInt8>) -> WallTime? {
        let text = field.trimmed
        switch time {
        case .unix: return Self.epoch(text, unit: 1000)
        case .unixMilliseconds: return Self.epoch(text, unit: 1)
        case .automatic:
            // A number in a finer unit is too long to be seconds: 10^11 s is the year 5138.
            switch text.prefix(while: \.isDigit).count {
            case 0...11: if let time = Self.epoch(text, unit: 1000) { return time }
            case 12...14: return Self.epoch(text, unit: 1)
            case 15...17: return Self.epoch(text.dropLast(3), unit: 1)
            case 18, 19: return Self.epoch(text.dropLast(6), unit: 1)
            default: return nil
            }
        case .format: break
        }
        for reader in readers {
            if let time = reader.whole(text, zone: zone, reference: now) { return time }
        }
        return nil
    }

    /// The first time in a line of a log; where times are numbers, its first word.
    func first(in line: ArraySlice<UInt8>) -> WallTime? {
        switch time {
        case .unix, .unixMilliseconds: whole(line.trimmed.prefix { !$0.isSpace })
        case .automatic: Self.common.first(in: line, zone: zone, reference: now)
        case .format: readers.first?.first(in: line, zone: zone, reference: now)
        }
    }

    private static let common = UsageTime(.common)

    /// Reads digits, perhaps with a fraction, as a number of units of `unit` milliseconds since 1970.
    private static func epoch(_ text: ArraySlice<UInt8>, unit: Int64) -> WallTime? {
        let digits = text.prefix(while: \.isDigit)
        guard (1...14).contains(digits.count) else { return nil }
        let whole = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        var reader = TimeReader(rest: text[digits.endIndex...])
        guard let fraction = reader.fraction(), reader.rest.isEmpty else { return nil }
        return WallTime(milliseconds: whole * unit + (unit == 1000 ? Int64(fraction) : 0))
    }
}

extension ArraySlice<UInt8> {
    /// Without the white space around it.
    var trimmed: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isSpace }), let last = lastIndex(where: { !$0.isSpace })
        else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
