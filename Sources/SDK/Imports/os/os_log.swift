import BackgroundTasks

// The older functions: a format with its arguments, or a message.

/// Logs a format with its arguments: `%{public}@` is shown, `%@` is not, numbers are.
///
/// Apple: os, `os_log(_:dso:log:type:_:)`.
@_disfavoredOverload
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ args: Any?...
) {
    log.write(FormattedMessage.text(of: "\(message)", args, showingPrivate: Privacy.isShown), type.level)
}

/// As ``os_log(_:dso:log:type:_:)``, with the older order of parameters.
@_disfavoredOverload
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ args: Any?...
) {
    log.write(FormattedMessage.text(of: "\(message)", args, showingPrivate: Privacy.isShown), type.level)
}

/// Logs a message.
///
/// Apple: os, `os_log(_:)`.
public func os_log(_ message: OSLogMessage) { OSLog.default.write(message, .default) }

/// Logs a message of a level.
///
/// Apple: os, `os_log(_:log:_:)`.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(message, type)
}

/// A format of `os_log` and its arguments, as a text.
enum FormattedMessage {
    /// Each `%` takes an argument; `%%` is one percent sign. A missing argument is `<missing>`.
    static func text(of format: String, _ arguments: [Any?], showingPrivate isShown: Bool) -> String {
        var text = ""
        var rest = arguments[...]
        var characters = format[...]
        while let sign = characters.firstIndex(of: "%") {
            text += characters[..<sign]
            characters = characters[characters.index(after: sign)...]
            guard let found = characters.prefixMatch(of: specifier) else {
                text += "%"
                continue
            }
            characters = characters[found.range.upperBound...]
            if found.conversion == "%" {
                text += "%"
            } else if let argument = rest.popFirst() {
                let privacy = privacy(
                    found.words.map(String.init) ?? "",
                    isNumber: found.conversion != "@" && found.conversion != "s")
                let shown = shown(argument, String(found.flags), String(found.conversion))
                text += isShown ? shown : privacy.shown(shown)
            } else {
                text += "<missing>"
            }
        }
        return text + characters
    }

    nonisolated(unsafe) private static let specifier =  // Safe: a regex of literals, which nobody writes to.
        /(?:\{(?<words>[^}]*)\})?(?<flags>[-+ #0-9.]*)(?:hh|h|ll|l|q|z|t|j|L)?(?<conversion>[@dDiuUxXoOfFeEgGcCsSpaA%])/

    private static func privacy(_ words: String, isNumber: Bool) -> OSLogPrivacy {
        let words = words.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        if words.contains("public") { return .public }
        if words.contains("private") || words.contains("sensitive") { return .private }
        return isNumber ? .public : .auto
    }

    private static func shown(_ argument: Any?, _ flags: String, _ conversion: String) -> String {
        guard let argument else { return "(null)" }
        switch (argument, conversion) {
        case (let number as any BinaryFloatingPoint, "f"), (let number as any BinaryFloatingPoint, "e"),
            (let number as any BinaryFloatingPoint, "g"):
            return String(format: "%\(flags)\(conversion)", Double(number))
        case (let number as any FixedWidthInteger, "x"), (let number as any FixedWidthInteger, "X"),
            (let number as any FixedWidthInteger, "o"), (let number as any FixedWidthInteger, "d"),
            (let number as any FixedWidthInteger, "i"), (let number as any FixedWidthInteger, "u"):
            return String(
                format: "%\(flags)l\(conversion == "i" ? "d" : conversion)", Int(truncatingIfNeeded: number))
        default: return "\(argument)"
        }
    }
}
