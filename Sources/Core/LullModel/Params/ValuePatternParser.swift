/// Reads the text of a `ValuePattern`.
struct ValuePatternParser {
    typealias Fault = ValuePattern.Fault

    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    init(_ text: String) { rest = Array(text.unicodeScalars)[...] }

    mutating func whole() throws(Fault) -> ValuePatternTree {
        let tree = try alternatives()
        guard rest.isEmpty else { throw .strayParenthesis }
        return tree
    }

    private mutating func alternatives() throws(Fault) -> ValuePatternTree {
        var parts = [try sequence()]
        while rest.first == "|" {
            rest.removeFirst()
            parts.append(try sequence())
        }
        return parts.count == 1 ? parts[0] : .either(parts)
    }

    private mutating func sequence() throws(Fault) -> ValuePatternTree {
        // All expressions match as a whole, so anchors at the ends add nothing.
        if depth == 0, rest.first == "^" { rest.removeFirst() }
        var parts: [ValuePatternTree] = []
        while let next = rest.first, next != "|", next != ")" {
            if next == "$" || next == "^" {
                rest.removeFirst()
                guard next == "$", depth == 0, rest.first == nil || rest.first == "|" else { throw .anchor }
                break
            }
            parts.append(try repeated(atom()))
        }
        return .sequence(parts)
    }

    private mutating func atom() throws(Fault) -> ValuePatternTree {
        guard let scalar = rest.popFirst() else { return .sequence([]) }
        switch scalar {
        case ".": return .set(.any)
        case "[": return .set(try bracket())
        case "(":
            if rest.starts(with: ["?", ":"]) { rest.removeFirst(2) }
            guard rest.first != "?" else { throw .group }
            guard depth < 50 else { throw .tooMany }
            depth += 1
            let tree = try alternatives()
            depth -= 1
            guard rest.popFirst() == ")" else { throw .unclosedGroup }
            return tree
        case "\\": return .set(try escape())
        case "*", "+", "?": throw .nothingToRepeat
        case "{": throw .nothingToRepeat
        default: return .set(ScalarSet(ranges: [scalar...scalar]))
        }
    }

    private mutating func repeated(_ atom: ValuePatternTree) throws(Fault) -> ValuePatternTree {
        var tree = atom
        while let next = rest.first {
            let range: (least: Int, most: Int?)
            switch next {
            case "*": range = (0, nil)
            case "+": range = (1, nil)
            case "?": range = (0, 1)
            case "{": range = try count()
            default: return tree
            }
            if next != "{" { rest.removeFirst() }
            tree = .times(tree, least: range.least, most: range.most)
        }
        return tree
    }

    /// `{3}`, `{2,}`, `{2,5}`.
    private mutating func count() throws(Fault) -> (least: Int, most: Int?) {
        rest.removeFirst()
        guard let least = number() else { throw .badCount }
        var most: Int? = least
        if rest.first == "," {
            rest.removeFirst()
            most = number()
            if most == nil, rest.first != "}" { throw .badCount }
        }
        guard rest.popFirst() == "}", most.map({ $0 >= least }) ?? true else { throw .badCount }
        guard max(least, most ?? 0) <= ValuePattern.positions else { throw .tooMany }
        return (least, most)
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty, digits.count <= 6 else { return nil }
        rest.removeFirst(digits.count)
        return Int(String(String.UnicodeScalarView(digits)))
    }

    private mutating func escape() throws(Fault) -> ScalarSet {
        guard let scalar = rest.popFirst() else { throw .unfinishedEscape }
        switch scalar {
        case "d": return .digits
        case "w": return .words
        case "s": return .spaces
        case "D": return ScalarSet(ranges: ScalarSet.digits.ranges, isNegated: true)
        case "W": return ScalarSet(ranges: ScalarSet.words.ranges, isNegated: true)
        case "S": return ScalarSet(ranges: ScalarSet.spaces.ranges, isNegated: true)
        case "1"..."9": throw .backReference
        case "0", "A"..."Z", "a"..."z": throw .unknownEscape(Character(scalar))
        default: return ScalarSet(ranges: [scalar...scalar])
        }
    }

    /// The part of `[…]` after its first bracket. As in POSIX, `]` in the first place is a character.
    private mutating func bracket() throws(Fault) -> ScalarSet {
        var set = ScalarSet()
        if rest.first == "^" {
            rest.removeFirst()
            set.isNegated = true
        }
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst { return set }
            isFirst = false
            if scalar == "[", rest.first == ":" {
                set.ranges += try namedClass()
                continue
            }
            if scalar == "[", let mark = rest.first, ".=".unicodeScalars.contains(mark) { throw .badClass }
            if scalar == "\\" {
                let escaped = try escape()
                // A negated class in brackets would be another set.
                guard !escaped.isNegated else { throw .badClass }
                set.ranges += escaped.ranges
                continue
            }
            guard rest.first == "-", let last = rest.dropFirst().first, last != "]" else {
                set.ranges.append(scalar...scalar)
                continue
            }
            rest.removeFirst(2)
            var end = last
            if last == "\\" {
                guard let escaped = try escape().ranges.first, escaped.lowerBound == escaped.upperBound else {
                    throw .badClass
                }
                end = escaped.lowerBound
            }
            guard scalar <= end else { throw .reversedRange }
            set.ranges.append(scalar...end)
        }
        throw .unclosedBracket
    }

    private mutating func namedClass() throws(Fault) -> [ClosedRange<Unicode.Scalar>] {
        rest.removeFirst()
        let name = rest.prefix { $0 != ":" }
        rest.removeFirst(name.count)
        guard rest.starts(with: [":", "]"]),
            let ranges = ScalarSet.classes[String(String.UnicodeScalarView(name))]
        else { throw .badClass }
        rest.removeFirst(2)
        return ranges
    }
}
