import ArgumentParser
import Foundation
import LullHost
import LullLoop
import LullModel

/// A time on the command line: RFC 3339, `YYYY-MM-DD HH:MM` in the host's zone, or a span such as `15m`.
struct TimeArgument: ExpressibleByArgument {
    static let forms =
        "RFC 3339, \"2026-12-24 03:00\" in the host's zone, or a span from now such as 90s, 15m, 4h, 7d, 1w"

    private enum Value {
        case instant(WallTime)
        case span(Duration)
    }
    private let value: Value

    init?(argument: String) {
        if let span = Duration(manifest: argument) {
            value = .span(span)
        } else if let date = Self.date(argument) {
            value = .instant(WallTime(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())))
        } else {
            return nil
        }
    }

    var isSpan: Bool {
        if case .span = value { true } else { false }
    }

    /// A span counts from now, ahead or back.
    func time(ahead: Bool) -> WallTime {
        switch value {
        case .instant(let time): time
        case .span(let span): ahead ? Clock.wall + span : Clock.wall - span
        }
    }

    private static func date(_ text: String) -> Date? {
        let formatter = ISO8601DateFormatter()
        for options: ISO8601DateFormatter.Options in [
            .withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds],
        ] {
            formatter.formatOptions = options
            if let date = formatter.date(from: text) { return date }
        }
        let local = DateFormatter()
        local.locale = Locale(identifier: "en_US_POSIX")
        for format in ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd'T'HH:mm"] {
            local.dateFormat = format
            if let date = local.date(from: text) { return date }
        }
        return nil
    }
}

extension Duration {
    /// A span as the manifest writes it: `90s`, `15m`, `4h`, `7d`, `1w`.
    init?(manifest text: String) {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        guard let last = text.last, let unit = units[last], let count = Int(text.dropLast()), count >= 0,
            count <= 1_000_000
        else { return nil }
        self = .seconds(count * unit)
    }
}

extension Phrases {
    /// Now, in the host's zone.
    static var current: Phrases {
        let now = Clock.wall
        return Phrases(now: now, zone: ZoneLoader.load([], around: now).host)
    }
}
