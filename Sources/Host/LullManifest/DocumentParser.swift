internal import CYAML
import LullModel

/// libyaml's events → a `Document`, up to the first fault of syntax.
///
/// Everything that could grow without bound is bounded here: nodes, depth, and the expansion of aliases. The content
/// before a fault is kept, so that its own problems are reported together with the fault.
struct DocumentParser {
    private(set) var document = Document()
    private(set) var problems = Problems()
    /// Where reading stopped before the end, if it did.
    private(set) var cut: Mark?

    private var open: [Int] = []
    /// The places of the `[` and `{` that are open.
    private var brackets: [Mark] = []
    private var anchors: [String: Int] = [:]
    private var expanded = 0
    private var lastQuoted: Span?
    private let source: [UInt8]

    /// `source`: UTF-8 without a byte order mark, as `TextScan` leaves it.
    init(_ source: [UInt8]) {
        self.source = source
        // One node for about 12 bytes of a usual manifest.
        document.nodes.reserveCapacity(source.count / 12)
        document.bytes.reserveCapacity(source.count / 2)
    }

    mutating func parse() {
        // libyaml keeps the parser's address inside the parser, so it has to stay where it is.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else {
            return stop(.syntax(.other("libyaml found no memory", while: nil)), at: Span(line: 0, column: 0))
        }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        // The buffer outlives the parser: it is deleted inside the closure's caller, after the last event.
        source.withUnsafeBufferPointer { text in
            yaml_parser_set_input_string(parser, text.baseAddress, text.count)
            while cut == nil, take(parser) {}
        }
    }

    /// False at the end of the stream.
    private mutating func take(_ parser: UnsafeMutablePointer<yaml_parser_t>) -> Bool {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            fail(parser)
            return false
        }
        defer { yaml_event_delete(&event) }
        let span = Span(Mark(event.start_mark), Mark(event.end_mark))
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            refuse(tag: scalar.tag, at: span)
            add(
                scalar: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
                shape: scalar.tag != nil
                    ? .refused : scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain : .quoted,
                anchor: scalar.anchor, at: span)
        case YAML_MAPPING_START_EVENT:
            refuse(tag: event.data.mapping_start.tag, at: span)
            if event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE { brackets.append(span.start) }
            begin(
                .mapping, anchor: event.data.mapping_start.anchor, at: span,
                isInBraces: event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            refuse(tag: event.data.sequence_start.tag, at: span)
            if event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE { brackets.append(span.start) }
            begin(.sequence, anchor: event.data.sequence_start.anchor, at: span)
        case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT:
            end(at: span)
        case YAML_ALIAS_EVENT:
            add(alias: String(cString: event.data.alias.anchor), at: span)
        case YAML_DOCUMENT_START_EVENT:
            if !document.nodes.isEmpty {
                stop(.structure(.secondDocument), at: span)
            }
        case YAML_STREAM_END_EVENT: return false
        default: break
        }
        return true
    }

    private mutating func add(
        scalar: UnsafeBufferPointer<yaml_char_t>, shape: Document.Shape,
        anchor: UnsafeMutablePointer<yaml_char_t>?, at span: Span
    ) {
        var node = Document.Node(shape: shape, span: span)
        node.offset = UInt32(document.bytes.count)
        node.count = UInt32(scalar.count)
        node.next = Int32(document.nodes.count + 1)
        document.bytes.append(contentsOf: scalar)
        if shape == .quoted, span.start.line != span.end.line { lastQuoted = span }
        add(node, anchor: anchor)
    }

    private mutating func begin(
        _ shape: Document.Shape, anchor: UnsafeMutablePointer<yaml_char_t>?, at span: Span,
        isInBraces: Bool = false
    ) {
        guard open.count < Limits.manifestDepth else {
            return stop(.structure(.tooDeep(limit: Limits.manifestDepth)), at: span)
        }
        let id = document.nodes.count
        add(Document.Node(shape: shape, isInBraces: isInBraces, span: span), anchor: anchor)
        open.append(id)
    }

    private mutating func end(at span: Span) {
        guard let id = open.popLast() else { return }
        if brackets.last == document.nodes[id].span.start { brackets.removeLast() }
        document.nodes[id].next = Int32(document.nodes.count)
        document.nodes[id].span.end = span.end
        guard let parent = open.last else { return }
        document.nodes[parent].expanded += document.nodes[id].expanded
        document.nodes[parent].height = max(document.nodes[parent].height, document.nodes[id].height + 1)
    }

    private mutating func add(alias name: String, at span: Span) {
        guard let target = anchors[name] else {
            // With so many anchors the nearest name says little, and costs much.
            let nearest = anchors.count > 100 ? nil : Spelling.nearest(to: name, among: anchors.keys.sorted())
            problems.add(.structure(.unknownAlias(name, nearest: nearest)), at: span)
            return add(nothingAt: span)
        }
        guard !document.isCut(target) else {
            problems.add(.structure(.aliasContainsItself(name)), at: span)
            return add(nothingAt: span)
        }
        let height = document.nodes[target].height
        guard open.count + Int(height) <= Limits.manifestDepth else {
            return stop(.structure(.tooDeep(limit: Limits.manifestDepth)), at: span)
        }
        let size = document.nodes[target].expanded
        guard expanded + Int(size) <= Limits.manifestNodes else {
            return stop(.structure(.expandsTooFar(name, limit: Limits.manifestNodes)), at: span)
        }
        var node = Document.Node(shape: .alias, span: span)
        node.next = Int32(document.nodes.count + 1)
        node.offset = UInt32(target)
        node.height = height
        node.expanded = size
        add(node, anchor: nil)
    }

    private mutating func add(nothingAt span: Span) {
        var node = Document.Node(shape: .refused, span: span)
        node.next = Int32(document.nodes.count + 1)
        add(node, anchor: nil)
    }

    private mutating func add(_ node: Document.Node, anchor: UnsafeMutablePointer<yaml_char_t>?) {
        guard document.nodes.count < Limits.manifestNodes else {
            return stop(.structure(.tooManyNodes(limit: Limits.manifestNodes)), at: node.span)
        }
        if let anchor { anchors[String(cString: anchor)] = document.nodes.count }
        expanded += Int(node.expanded)
        document.nodes.append(node)
        // A container reports to its parent when it ends, with all that it holds.
        if node.next != .max, let parent = open.last {
            document.nodes[parent].expanded += node.expanded
            document.nodes[parent].height = max(document.nodes[parent].height, node.height + 1)
        }
    }

    private mutating func refuse(tag: UnsafeMutablePointer<yaml_char_t>?, at span: Span) {
        guard let tag else { return }
        problems.add(.structure(.tag(String(cString: tag))), at: span)
    }

    private mutating func fail(_ parser: UnsafeMutablePointer<yaml_parser_t>) {
        let failure = SyntaxFailure(parser.pointee, lastQuoted: lastQuoted, openBracket: brackets.last)
        let found = SyntaxDiagnosis(failure, source: source).findings()
        for finding in found { problems.add(.syntax(finding.problem), at: finding.span) }
        cut = found.map(\.span.start).min() ?? failure.place
    }

    private mutating func stop(_ problem: ManifestProblem, at span: Span) {
        problems.add(problem, at: span)
        cut = span.start
    }
}

extension Mark {
    init(_ mark: yaml_mark_t) {
        self.init(line: UInt32(mark.line), column: UInt32(mark.column))
    }
}
