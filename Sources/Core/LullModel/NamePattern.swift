/// A shell pattern for file names: `*`, `?`, `[a-z]`, `[!a]`. Only a dot matches a dot at the beginning.
public struct NamePattern: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case any
        case one
        case scalar(Unicode.Scalar)
        case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }

    private let parts: [Part]
    private let beginsWithDot: Bool

    public static func isPattern(_ text: String) -> Bool { text.contains { "*?[".contains($0) } }

    /// Nil: a bracket is not closed.
    public init?(_ text: String) {
        var parts: [Part] = []
        var rest = Array(text.unicodeScalars)[...]
        beginsWithDot = rest.first == "."
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": if parts.last != .any { parts.append(.any) }
            case "?": parts.append(.one)
            case "[":
                guard let set = Self.set(&rest) else { return nil }
                parts.append(set)
            default: parts.append(.scalar(scalar))
            }
        }
        self.parts = parts
    }

    private static func set(_ rest: inout ArraySlice<Unicode.Scalar>) -> Part? {
        var isNegated = false
        if rest.first == "!" || rest.first == "^" {
            isNegated = true
            rest.removeFirst()
        }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let first = rest.popFirst() {
            if first == "]", !ranges.isEmpty { return .set(ranges, isNegated: isNegated) }
            if rest.first == "-", rest.count > 1, rest[rest.startIndex + 1] != "]" {
                let last = rest[rest.startIndex + 1]
                rest.removeFirst(2)
                // A reversed range counts as the ordered one.
                ranges.append(min(first, last)...max(first, last))
            } else {
                ranges.append(first...first)
            }
        }
        return nil
    }

    /// Whether a name matches, in time of at most the product of both lengths.
    public func fits(_ name: String) -> Bool {
        let name = Array(name.unicodeScalars)
        if name.first == ".", !beginsWithDot { return false }
        var (place, part) = (0, 0)
        var retry: (place: Int, part: Int)?
        while place < name.count {
            if part < parts.count, parts[part] == .any {
                retry = (place, part)
                part += 1
            } else if part < parts.count, Self.fits(parts[part], name[place]) {
                place += 1
                part += 1
            } else if let last = retry {
                retry = (last.place + 1, last.part)
                place = last.place + 1
                part = last.part + 1
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .any }
    }

    private static func fits(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
        switch part {
        case .any: false
        case .one: true
        case .scalar(let wanted): wanted == scalar
        case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
        }
    }
}

extension WatchedPath {
    /// Whether a name in the folder matches; hidden files do not, unless the pattern begins with a dot.
    public func takes(_ name: String, _ pattern: NamePattern?) -> Bool {
        guard let pattern else { return !name.hasPrefix(".") }
        return pattern.fits(name)
    }

    public var pattern: NamePattern? { names.flatMap { NamePattern($0) } }
}
