/// A crash that is libdispatch's check of queues: code waits, with `sync`, for the queue on which it runs itself.
///
/// It shows only as signal 4 and a backtrace; here it becomes a sentence with a remedy.
struct QueueTrap {
    /// The function that waits: "closure #1 in AppDelegate.register()"; nil: not known.
    let function: String?

    private static let check = "__DISPATCH_WAIT_FOR_QUEUE__"
    /// The frames between the check and the caller of `sync`.
    private static let between = [
        " in libdispatch.so", " in libswiftDispatch.so", "[thunk]", "DispatchQueue.sync",
    ]

    /// Nil when the crash was another.
    init?(_ lastLine: LastLine) {
        let lines = String(decoding: lastLine.backtrace, as: UTF8.self).split(separator: "\n")
        guard let check = lines.firstIndex(where: { $0.contains(Self.check) }) else { return nil }
        let caller = lines[(check + 1)...].first { line in
            !Self.between.contains { line.contains($0) }
        }
        function = caller.flatMap { MainActorTrap.function(inFrame: String($0)) }
    }

    var sentence: String {
        "It waited for itself: \(function ?? "a closure") calls `sync` on the queue on which it already runs. Call the "
            + "code directly, or use `async`; for the main queue ask `Thread.isMainThread` first."
    }
}
