public import LullModel

/// Reads the time of a use from the bytes of a line.
///
/// Strict: an impossible time (31 February, 25 o'clock) is none, and neither is a part of a longer number or word.
/// Pure: names are English in every locale, and the caller passes the zone for times without one and the reference for
/// times without a year.
public struct UsageTime: Sendable, Equatable {
    private let pattern: TimePattern

    public init(_ format: UsageSource.TimeFormat) {
        pattern =
            switch format {
            case .common: .common
            case .rfc3339: .rfc3339
            case .strptime(let text): TimePattern(strptime: text)
            }
    }

    /// The first time in `line`, wherever it stands.
    public func first(in line: ArraySlice<UInt8>, zone: Zone, reference: WallTime) -> WallTime? {
        var start = line.startIndex
        while let candidate = pattern.nextStart(in: line, from: start) {
            if isFree(candidate, in: line), let (parts, end) = pattern.match(line[candidate...]),
                !isCutNumber(at: end, in: line),
                let time = parts.time(zone: zone, reference: reference)
            {
                return time
            }
            start = candidate + 1
        }
        return nil
    }

    /// The time that fills all of `text`; nil if none does.
    public func whole(_ text: ArraySlice<UInt8>, zone: Zone, reference: WallTime) -> WallTime? {
        guard let (parts, end) = pattern.match(text), end == text.endIndex else { return nil }
        return parts.time(zone: zone, reference: reference)
    }

    /// Whether `start` is not inside a number or word.
    private func isFree(_ start: Int, in line: ArraySlice<UInt8>) -> Bool {
        guard start > line.startIndex, start < line.endIndex else { return true }
        let (before, at) = (line[start - 1], line[start])
        return !(before.isDigit && at.isDigit) && !(before.isLetter && at.isLetter)
    }

    private func isCutNumber(at end: Int, in line: ArraySlice<UInt8>) -> Bool {
        end > line.startIndex && end < line.endIndex && line[end - 1].isDigit && line[end].isDigit
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
    /// Whether strptime takes the byte for white space.
    var isSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
