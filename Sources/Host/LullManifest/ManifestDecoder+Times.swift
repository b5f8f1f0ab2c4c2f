import LullCalendar
import LullModel

extension ManifestDecoder {
    /// The times of `at`: one, or a list of times that all hold; nil if one of them is wrong.
    mutating func times(_ entry: Entry) -> ExactTimes? {
        if isItemWithoutSpace(entry) { return nil }
        if document.isScalar(entry.value) { return time(entry.value) }
        guard document.nodes[entry.value].shape == .sequence else {
            refuse(entry, expected: .times)
            return nil
        }
        var times: ExactTimes?
        var isWhole = true
        for item in document.contents(of: entry.value).map(document.resolve) {
            guard document.isScalar(item) else {
                add(.value(.wrongType(.at, expected: .text, found: found(item), remedies: [])), at: item)
                isWhole = false
                continue
            }
            guard let time = time(item) else {
                isWhole = false
                continue
            }
            if times == nil { times = time } else { times?.formUnion(time) }
        }
        if document.contents(of: entry.value).first(where: { _ in true }) == nil, !document.isCut(entry.value)
        {
            refuse(entry, expected: .times)
        }
        return isWhole ? times : nil
    }

    private mutating func time(_ node: NodeID) -> ExactTimes? {
        let text = document.text(node)
        if let known = knownTimes[text] { return known }
        do throws(AtFault) {
            let times = try ExactTimes(text)
            knownTimes[text] = times
            return times
        } catch {
            guard lookalike(in: node, behind: .value(.time(text, error))) == nil else {
                add(.value(.time(text, error)), at: node)
                return nil
            }
            problems.add(.value(.time(text, error)), at: span(of: error.range, in: node))
            return nil
        }
    }

    /// The span of these characters, if the file has the text as it is read; else the span of the whole text.
    func span(of range: Range<Int>, in node: NodeID) -> Span {
        let whole = document.nodes[node].span
        let quotes = document.nodes[node].shape == .quoted ? 1 : 0
        let count = document.text(node).unicodeScalars.count
        guard whole.start.line == whole.end.line, !range.isEmpty,
            Int(whole.end.column) - Int(whole.start.column) == count + 2 * quotes
        else { return whole }
        return Span(
            line: Int(whole.start.line), column: Int(whole.start.column) + quotes + range.lowerBound,
            count: range.count)
    }
}
