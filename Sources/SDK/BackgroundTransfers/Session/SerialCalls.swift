/// Calls that are made one after the other, in the order in which they were added.
struct SerialCalls<Argument>: Sendable {
    typealias Call = @Sendable (Argument) -> Void

    private var coming: [Call] = []
    /// In reverse order: the next call is the last one.
    private var going: [Call] = []
    private var isUnderWay = false

    /// Adds a call. True if the caller has to start making the calls.
    mutating func add(_ call: @escaping Call) -> Bool {
        coming.append(call)
        defer { isUnderWay = true }
        return !isUnderWay
    }

    mutating func next() -> Call? {
        if going.isEmpty {
            going = coming.reversed()
            coming = []
        }
        return going.popLast()
    }

    /// Whether there are more calls to make.
    mutating func hasMore() -> Bool {
        isUnderWay = !(coming.isEmpty && going.isEmpty)
        return isUnderWay
    }
}
