import BackgroundTasks

/// Builds a message; its methods are the values that may stand between `\(` and `)`.
///
/// Apple: os, `OSLogInterpolation`.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    struct Part: Sendable {
        var text: String
        var privacy: OSLogPrivacy
    }

    var parts: [Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
        parts.append(Part(text: literal, privacy: .public))
    }

    private mutating func append(_ text: String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy) {
        parts.append(Part(text: align.aligned(text), privacy: privacy))
    }

    /// A whole number, which is shown unless it is private.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some FixedWidthInteger, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy.ofNumber)
    }

    /// A number, which is shown unless it is private.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: number()), align, privacy.ofNumber)
    }

    /// A number, which is shown unless it is private.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: Double(number())), align, privacy.ofNumber)
    }

    /// A number, which is shown unless it is private.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> CGFloat, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: Double(number())), align, privacy.ofNumber)
    }

    /// A Bool, which is shown unless it is private.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(of: boolean()), .none, privacy.ofNumber)
    }

    /// A text, which is not shown unless it is public.
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(argumentString(), align, privacy)
    }

    /// A value that describes itself, which is not shown unless it is public, or a number.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some CustomStringConvertible, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        let value = value()
        // The compiler prefers this overload if no format is given.
        let isNumber = value is any BinaryInteger || value is any BinaryFloatingPoint || value is Bool
        append(value.description, align, isNumber ? privacy.ofNumber : privacy)
    }

    /// An object, which is not shown unless it is public.
    public mutating func appendInterpolation(
        _ object: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto
    ) {
        append(object().map(\.description) ?? "(null)", .none, privacy)
    }

    /// An error, which is not shown unless it is public.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ error: @autoclosure () -> (any Error)?, privacy: OSLogPrivacy = .auto
    ) {
        append(error().map { "\($0)" } ?? "(null)", .none, privacy)
    }

    /// A type, which is not shown unless it is public.
    public mutating func appendInterpolation(
        _ type: @autoclosure () -> any Any.Type, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append("\(type())", align, privacy)
    }

    /// An address, which is shown unless it is private.
    public mutating func appendInterpolation(
        _ pointer: @autoclosure () -> UnsafeRawPointer, privacy: OSLogPrivacy = .auto
    ) {
        append("\(pointer())", .none, privacy.ofNumber)
    }
}
