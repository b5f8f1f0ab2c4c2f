/// A place in the text; line and column count characters from 0, as libyaml does.
struct Mark: Hashable, Comparable {
    var line: UInt32
    var column: UInt32

    static func < (a: Self, b: Self) -> Bool { a.line != b.line ? a.line < b.line : a.column < b.column }
}

/// From the first character of something to the place after its last.
struct Span: Hashable {
    var start: Mark
    var end: Mark

    init(_ start: Mark, _ end: Mark) {
        self.start = start
        self.end = end
    }

    /// `count` characters of one line.
    init(line: Int, column: Int, count: Int = 1) {
        start = Mark(line: UInt32(line), column: UInt32(column))
        end = Mark(line: UInt32(line), column: UInt32(column + count))
    }
}

/// One YAML document as a flat array of nodes in the order of the text.
///
/// A container is followed by its contents, and `next` leads past them: no node owns another, so depth costs
/// no stack and 10,000 tasks cost three allocations. An alias keeps its own place and points at its target.
struct Document {
    typealias NodeID = Int

    enum Shape: UInt8 {
        case plain, quoted, sequence, mapping, alias
        /// Stands for content that was refused while reading, so that keys and values stay in step.
        case refused
    }

    struct Node {
        var shape: Shape
        /// Whether it is a mapping in braces.
        var isInBraces = false
        var span: Span
        /// The node after this one and its contents; `Int32.max` while the container is open.
        var next: Int32 = .max
        /// Where the bytes of a scalar begin; for an alias the node it stands for.
        var offset: UInt32 = 0
        var count: UInt32 = 0
        /// How deep the contents are, aliases followed: 0 for a scalar.
        var height: UInt8 = 0
        /// How many nodes this one is, aliases followed.
        var expanded: UInt32 = 1
    }

    var nodes: [Node] = []
    /// The bytes of all scalars, one after the other.
    var bytes: [UInt8] = []

    var root: NodeID? { nodes.isEmpty ? nil : 0 }

    /// The node that an alias stands for; any other node is itself.
    func resolve(_ id: NodeID) -> NodeID {
        nodes[id].shape == .alias ? Int(nodes[id].offset) : id
    }

    /// Whether a syntax error came before the node's end, so that a missing key in it proves nothing.
    func isCut(_ id: NodeID) -> Bool { nodes[id].next == .max }

    func range(_ id: NodeID) -> Range<Int> {
        let start = Int(nodes[id].offset)
        return start..<start + Int(nodes[id].count)
    }

    func text(_ id: NodeID) -> String { String(decoding: bytes[range(id)], as: UTF8.self) }

    func isScalar(_ id: NodeID) -> Bool { nodes[id].shape == .plain || nodes[id].shape == .quoted }

    /// No text at all, and no quotes around it.
    func isNothing(_ id: NodeID) -> Bool { nodes[id].shape == .plain && nodes[id].count == 0 }

    /// Nothing written, `~` or `null`, without quotes.
    func isEmpty(_ id: NodeID) -> Bool {
        guard nodes[id].shape == .plain else { return false }
        switch nodes[id].count {
        case 0: return true
        case 1: return bytes[Int(nodes[id].offset)] == UInt8(ascii: "~")
        case 4: return bytes[range(id)].elementsEqual("null".utf8)
        default: return false
        }
    }

    /// The contents of a list, or the keys and values of a mapping in turn.
    func contents(of id: NodeID) -> Contents { Contents(document: self, at: id + 1, end: end(of: id)) }

    private func end(of id: NodeID) -> NodeID { isCut(id) ? nodes.count : Int(nodes[id].next) }

    struct Contents: Sequence, IteratorProtocol {
        let document: Document
        var at: NodeID
        let end: NodeID

        mutating func next() -> NodeID? {
            guard at < end else { return nil }
            defer { at = document.isCut(at) ? end : Int(document.nodes[at].next) }
            return at
        }
    }
}
