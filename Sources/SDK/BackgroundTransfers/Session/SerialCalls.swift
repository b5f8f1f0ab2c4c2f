/// Calls that are made one after the other, in the order in which they were added.
struct SerialCalls<Argument>: Sendable {
    typealias Call = @Sendable (Argument) -> Void

    private var coming: [Call] = []
    /// The next is the last of these.
    private var going: [Call] = []
    private var isUnderWay = false

    /// Whether somebody has to begin to make the calls: nobody is at it.
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

    /// Whether the one who is at it has to go on.
    mutating func hasMore() -> Bool {
        isUnderWay = !(coming.isEmpty && going.isEmpty)
        return isUnderWay
    }
}
