import LullModel

/// `cost_limit` of an app, or at the top for all apps together.
extension ManifestDecoder {
    mutating func costLimits(_ entry: Entry) -> [CostLimit] {
        guard isMapping(entry.value, of: .costLimit) else { return [] }
        var limits: [CostLimit] = []
        keys(of: entry.value, in: .costLimit) { decoder, entry in
            guard let figure = CostLimit.Figure(rawValue: entry.key.rawValue) else {
                Self.unread(entry.key)
            }
            if let limit = decoder.costLimit(figure, entry) { limits.append(limit) }
        }
        return limits
    }

    /// `10m/1d`, and `10m/d` for short.
    private mutating func costLimit(_ figure: CostLimit.Figure, _ entry: Entry) -> CostLimit? {
        guard document.isScalar(entry.value) else {
            let example = entry.key.example(in: .costLimit).dropFirst(entry.key.rawValue.count + 2)
            refuse(entry, expected: .text, remedies: [String(example)])
            return nil
        }
        let text = document.text(entry.value)
        guard let (amount, span) = Self.perSpan(text), CostLimit.spans.contains(span),
            let amount = figure == .processor
                ? DurationText.parse(ArraySlice(amount.utf8))?.milliseconds : QuantityText.size(amount),
            amount > 0
        else {
            add(.value(.costLimit(entry.key, text)), at: entry.value)
            return nil
        }
        return CostLimit(figure, amount, span: span)
    }

    /// An amount in a span: `3/1h`, and `3/h` for short.
    static func perSpan(_ text: String) -> (amount: String, span: Duration)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        let span = (parts[1].first?.isNumber == true ? "" : "1") + parts[1]
        return DurationText.parse(ArraySlice(span.utf8)).map { (parts[0], $0) }
    }
}
