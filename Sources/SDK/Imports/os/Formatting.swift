import BackgroundTasks

/// How a whole number is written.
///
/// Apple: os, `OSLogIntegerFormatting`.
public struct OSLogIntegerFormatting: Sendable {
    private var radix = 10
    private var isUppercase = false
    private var hasPrefix = false
    private var hasSign = false
    private var digits = 0

    /// `255`.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
    /// `+255` if asked for, with at least `minDigits` digits.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(hasSign: explicitPositiveSign, digits: minDigits())
    }
    /// `ff`.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// `0xff` or `FF` if asked for, with at least `minDigits` digits.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, isUppercase: uppercase, hasPrefix: includePrefix, hasSign: explicitPositiveSign,
            digits: minDigits())
    }
    /// `377`.
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

    func text(of number: some FixedWidthInteger) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(self.digits - digits.count, 0))
        let sign = number < 0 ? "-" : hasSign ? "+" : ""
        return sign + (hasPrefix ? "0x" : "") + zeros + digits
    }
}

/// How a number with a fraction is written.
///
/// Apple: os, `OSLogFloatFormatting`.
public struct OSLogFloatFormatting: Sendable {
    private var conversion: String
    private var hasSign: Bool
    private var precision: Int

    private static func make(_ conversion: String, _ hasSign: Bool = false, _ precision: Int = 6)
        -> OSLogFloatFormatting
    {
        OSLogFloatFormatting(conversion: conversion, hasSign: hasSign, precision: precision)
    }

    /// `1.500000`.
    public static var fixed: OSLogFloatFormatting { make("f") }
    /// `1.50`, of two digits.
    public static func fixed(precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false)
        -> OSLogFloatFormatting
    {
        make("f", explicitPositiveSign, precision())
    }
    /// `1.500000e+00`.
    public static var exponential: OSLogFloatFormatting { make("e") }
    /// `1.50e+00`, of two digits.
    public static func exponential(precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false)
        -> OSLogFloatFormatting
    {
        make("e", explicitPositiveSign, precision())
    }
    /// `1.5`.
    public static var hybrid: OSLogFloatFormatting { make("g") }
    /// `1.5`, with at most `precision` digits.
    public static func hybrid(precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false)
        -> OSLogFloatFormatting
    {
        make("g", explicitPositiveSign, precision())
    }

    func text(of number: Double) -> String {
        // A log line needs no thousand digits.
        let digits = min(max(precision, 0), 300)
        return String(format: "%\(hasSign ? "+" : "").\(digits)\(conversion)", number)
    }
}

/// How a Bool is written.
///
/// Apple: os, `OSLogBoolFormat`.
public enum OSLogBoolFormat: Sendable {
    /// `true` and `false`.
    case truth
    /// `yes` and `no`.
    case answer

    func text(of value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "yes" : "no"
        }
    }
}

enum Privacy {
    /// Read once: a new value takes effect when the worker starts again.
    static let isShown = ProcessInfo.processInfo.environment["LULL_LOG_PRIVATE"] == "1"
}
