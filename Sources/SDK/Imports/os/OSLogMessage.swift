import BackgroundTasks

/// A message whose parts each know whether they may be shown.
///
/// Apple: os, `OSLogMessage`.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let parts: [OSLogInterpolation.Part]

    public init(stringInterpolation: OSLogInterpolation) {
        parts = stringInterpolation.parts
    }

    public init(stringLiteral value: String) {
        parts = [.init(text: value, privacy: .public)]
    }

    func text(showingPrivate isShown: Bool) -> String {
        parts.reduce(into: "") { text, part in
            text += isShown ? part.text : part.privacy.shown(part.text)
        }
    }
}

/// Whether a part of a message is shown.
///
/// Apple: os, `OSLogPrivacy`.
public struct OSLogPrivacy: Equatable, Sendable {
    /// The replacement of a part that is not shown.
    ///
    /// Apple: os, `OSLogPrivacy.Mask`.
    public enum Mask: Equatable, Sendable {
        /// A number that is the same for the same text, in one process.
        case hash
        /// Nothing of it.
        case none
    }

    private enum Kind { case auto, shown, hidden, sensitive }
    private let kind: Kind
    private let mask: Mask

    /// Numbers are shown, all else is not.
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: .none) }
    /// As ``auto``, with a mask for what is not shown.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
    /// Shown.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .shown, mask: .none) }
    /// Not shown.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: .none) }
    /// Not shown, but for its mask.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
    /// Not shown.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: .none) }
    /// Not shown, but for its mask.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

    /// The privacy of a number: `auto` shows it.
    var ofNumber: OSLogPrivacy { kind == .auto ? .public : self }

    func shown(_ text: String) -> String {
        switch (kind, mask) {
        case (.shown, _): text
        case (_, .hash): "<mask.hash: \(String(UInt(bitPattern: text.hashValue), radix: 16))>"
        case (.sensitive, .none): "<sensitive>"
        case (.auto, .none), (.hidden, .none): "<private>"
        }
    }
}

/// How a text is aligned in a column.
///
/// Apple: os, `OSLogStringAlignment`.
public struct OSLogStringAlignment: Sendable {
    private enum Side { case left, right }
    private let side: Side
    private let columns: Int

    /// Not aligned.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(side: .left, columns: 0) }
    /// Left-aligned in at least so many columns.
    public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .left, columns: columns())
    }
    /// Right-aligned in at least so many columns.
    public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .right, columns: columns())
    }

    func aligned(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(columns - text.count, 0))
        return side == .left ? text + padding : padding + text
    }
}
