public import LullModel

extension WallTime {
    /// RFC 3339 in UTC with milliseconds, `2026-11-21T08:00:00.000Z`; limited to the years 0 to 9999 of the format.
    public var rfc3339: String {
        let time = min(max(self, Self.firstOfFormat), Self.lastOfFormat)
        let local = LocalTime(secondsSinceEpoch: time.seconds)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func put(_ number: Int, digits: Int, then mark: Unicode.Scalar) {
            var unit = 1
            for _ in 1..<digits { unit *= 10 }
            while unit > 0 {
                text.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
                unit /= 10
            }
            text.append(UInt8(ascii: mark))
        }
        put(local.year, digits: 4, then: "-")
        put(local.month, digits: 2, then: "-")
        put(local.day, digits: 2, then: "T")
        put(local.hour, digits: 2, then: ":")
        put(local.minute, digits: 2, then: ":")
        put(local.second, digits: 2, then: ".")
        put(Int(time.milliseconds - time.seconds * 1000), digits: 3, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads RFC 3339: with any offset, with or without a fraction (cut to milliseconds); nil when it is something else.
    ///
    /// Also nil if the offset moves the time out of these years, because it could not be written again.
    public init?(rfc3339 text: String) {
        var reader = DigitReader(text: Array(text.utf8))
        guard let year = reader.number(digits: 4), reader.take("-"),
            let month = reader.number(digits: 2), reader.take("-"),
            let day = reader.number(digits: 2), reader.take("T", "t", " "),
            let hour = reader.number(digits: 2), reader.take(":"),
            let minute = reader.number(digits: 2), reader.take(":"),
            let second = reader.number(digits: 2)
        else { return nil }
        guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = reader.take(".") ? reader.fraction() : 0 else { return nil }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = Int64(LocalTime.days(year: year, month: month, day: day))
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
        self.init(milliseconds: seconds * 1000 + Int64(fraction))
        guard (Self.firstOfFormat...Self.lastOfFormat).contains(self) else { return nil }
    }

    private static let firstOfFormat = WallTime(
        seconds: Int64(LocalTime.days(year: 0, month: 1, day: 1)) * 86_400)
    private static let lastOfFormat = WallTime(
        milliseconds: Int64(LocalTime.days(year: 10_000, month: 1, day: 1)) * 86_400_000 - 1)

    private static func days(in month: Int, of year: Int) -> Int {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return LocalTime.days(year: next.0, month: next.1, day: 1)
            - LocalTime.days(year: year, month: month, day: 1)
    }
}

/// Reads the digits and marks of a date from left to right.
private struct DigitReader {
    let text: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func take(_ marks: Unicode.Scalar...) -> Bool {
        guard position < text.count, marks.contains(Unicode.Scalar(text[position])) else { return false }
        position += 1
        return true
    }

    mutating func digit() -> Int? {
        guard position < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) else {
            return nil
        }
        position += 1
        return Int(text[position - 1] - UInt8(ascii: "0"))
    }

    mutating func number(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// One digit or more, as milliseconds.
    mutating func fraction() -> Int? {
        guard var milliseconds = digit().map({ $0 * 100 }) else { return nil }
        var unit = 10
        while let digit = digit() {
            milliseconds += digit * unit
            unit /= 10
        }
        return milliseconds
    }

    /// `Z`, or `+hh:mm` in seconds east of UTC.
    mutating func offset() -> Int? {
        if take("Z", "z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24, take(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
