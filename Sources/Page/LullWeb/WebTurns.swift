/// Lets a few callers run at once, and the others after them in the order in which they came.
actor WebTurns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func take<Value: Sendable>(_ body: () async -> Value) async -> Value {
        await begin()
        let value = await body()
        await end()
        return value
    }

    private func begin() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        guard waiting.isEmpty else {
            waiting.removeFirst().resume()
            return
        }
        free += 1
    }
}
