/// A regular expression that a value matches as a whole, from its first character to its last.
///
/// The syntax is that of POSIX extended regular expressions, with `\d`, `\w` and `\s` for ASCII. There are no back
/// references and no lookaround: all positions in the expression are followed at once, so the time of a match is at most the
/// product of both lengths, whatever the expression.
public struct ValuePattern: Sendable, Equatable {
    /// Why a text is no expression.
    public enum Fault: Error, Sendable, Hashable {
        case empty, unclosedGroup, strayParenthesis, unclosedBracket, reversedRange, badClass
        case nothingToRepeat, badCount, tooMany, backReference, group, anchor, unfinishedEscape
        case unknownEscape(Character)
        case tooLong(bytes: Int)
    }

    /// Bytes of an expression, and positions in it, with counted repetitions written out.
    public static let bytes = 1 << 10
    static let positions = 2000

    enum Step: Sendable, Equatable {
        case scalar(ScalarSet)
        /// Goes on at both.
        case split(Int, Int)
        case jump(Int)
        case end
    }

    private let steps: [Step]

    public init(_ text: String) throws(Fault) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.bytes else { throw .tooLong(bytes: text.utf8.count) }
        var parser = ValuePatternParser(text)
        let tree = try parser.whole()
        guard tree.size < Self.positions else { throw .tooMany }
        var steps: [Step] = []
        steps.reserveCapacity(tree.size + 1)
        Self.write(tree, to: &steps)
        steps.append(.end)
        self.steps = steps
    }

    public func fits(_ text: String) -> Bool {
        var now = Places(steps.count)
        var next = Places(steps.count)
        var open: [Int] = []
        add(0, to: &now, &open)
        for scalar in text.unicodeScalars {
            next.removeAll()
            for place in now.list {
                if case .scalar(let set) = steps[place], set.contains(scalar) {
                    add(place + 1, to: &next, &open)
                }
            }
            if next.list.isEmpty { return false }
            swap(&now, &next)
        }
        return now.list.contains { steps[$0] == .end }
    }

    /// Positions, each once, in the order of their arrival.
    private struct Places {
        var list: [Int] = []
        private var isIn: [Bool]

        init(_ count: Int) { isIn = Array(repeating: false, count: count) }

        mutating func insert(_ place: Int) -> Bool {
            guard !isIn[place] else { return false }
            isIn[place] = true
            list.append(place)
            return true
        }

        mutating func removeAll() {
            for place in list { isIn[place] = false }
            list.removeAll(keepingCapacity: true)
        }
    }

    /// Adds a position with all that are reached from it without a character.
    private func add(_ start: Int, to places: inout Places, _ open: inout [Int]) {
        open.append(start)
        while let place = open.popLast() {
            guard places.insert(place) else { continue }
            switch steps[place] {
            case .jump(let other): open.append(other)
            case .split(let first, let second): open += [first, second]
            case .scalar, .end: break
            }
        }
    }

    private static func write(_ tree: ValuePatternTree, to steps: inout [Step]) {
        switch tree {
        case .set(let set): steps.append(.scalar(set))
        case .sequence(let parts): for part in parts { write(part, to: &steps) }
        case .either(let parts):
            var ends: [Int] = []
            for (index, part) in parts.enumerated() {
                guard index < parts.count - 1 else {
                    write(part, to: &steps)
                    break
                }
                let split = steps.count
                steps.append(.end)
                write(part, to: &steps)
                ends.append(steps.count)
                steps.append(.end)
                steps[split] = .split(split + 1, steps.count)
            }
            for end in ends { steps[end] = .jump(steps.count) }
        case .times(let part, let least, let most):
            for _ in 0..<least { write(part, to: &steps) }
            guard let most else {
                let split = steps.count
                steps.append(.end)
                write(part, to: &steps)
                steps.append(.jump(split))
                steps[split] = .split(split + 1, steps.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(steps.count)
                steps.append(.end)
                write(part, to: &steps)
            }
            for split in splits { steps[split] = .split(split + 1, steps.count) }
        }
    }
}

/// A set of characters.
struct ScalarSet: Sendable, Equatable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var isNegated = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar) } != isNegated
    }

    static let any = ScalarSet(isNegated: true)
    static let digits = ScalarSet(ranges: ["0"..."9"])
    static let words = ScalarSet(ranges: ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"])
    static let spaces = ScalarSet(ranges: [" "..." ", "\t"..."\r"])

    /// The classes of POSIX, for ASCII.
    static let classes: [String: [ClosedRange<Unicode.Scalar>]] = [
        "alnum": ["0"..."9", "A"..."Z", "a"..."z"], "alpha": ["A"..."Z", "a"..."z"],
        "blank": [" "..." ", "\t"..."\t"],
        "cntrl": ["\0"..."\u{1F}", "\u{7F}"..."\u{7F}"], "digit": ["0"..."9"], "graph": ["!"..."~"],
        "lower": ["a"..."z"], "print": [" "..."~"],
        "punct": ["!"..."/", ":"..."@", "["..."`", "{"..."~"], "space": [" "..." ", "\t"..."\r"],
        "upper": ["A"..."Z"], "xdigit": ["0"..."9", "A"..."F", "a"..."f"],
    ]
}

/// An expression as it was read.
indirect enum ValuePatternTree {
    case set(ScalarSet)
    case sequence([ValuePatternTree])
    case either([ValuePatternTree])
    case times(ValuePatternTree, least: Int, most: Int?)

    /// The steps that it takes, and more for a set of many ranges, which takes as long as several; at most a little over
    /// `ValuePattern.positions`, for more are not counted.
    var size: Int {
        let size: Int =
            switch self {
            case .set(let set): 1 + set.ranges.count / 8
            case .sequence(let parts): parts.reduce(0) { $0 + $1.size }
            case .either(let parts): parts.reduce(0) { $0 + $1.size + 2 }
            case .times(let part, let least, let most): (part.size + 1) * max(least, most ?? least + 1, 1)
            }
        return min(size, ValuePattern.positions)
    }
}
