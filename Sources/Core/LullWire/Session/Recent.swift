/// The last elements of many: a new one replaces the oldest when the limit is reached.
struct Recent<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var next = 0
    private let limit: Int

    init(_ limit: Int) { self.limit = limit }

    mutating func append(_ element: Element) {
        if elements.count < limit { return elements.append(element) }
        elements[next] = element
        next = (next + 1) % limit
    }

    func contains(where isMeant: (Element) -> Bool) -> Bool {
        elements.contains { $0.map(isMeant) ?? false }
    }

    /// Removes the newest matching element and returns it.
    mutating func take(where isMeant: (Element) -> Bool) -> Element? {
        func isIt(_ element: Element?) -> Bool { element.map(isMeant) ?? false }
        guard let place = elements[..<next].lastIndex(where: isIt) ?? elements[next...].lastIndex(where: isIt)
        else { return nil }
        defer { elements[place] = nil }
        return elements[place]
    }
}
