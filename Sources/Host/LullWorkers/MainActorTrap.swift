/// A crash that is Swift's check of actors: code of the main actor was run on another thread.
///
/// In Swift 6 a closure that is written in `@MainActor` code belongs to the main actor, and traps at its entry where a
/// queue runs it. It shows only as signal 4 and a backtrace; here it becomes a sentence with a remedy.
struct MainActorTrap {
    /// The function that belongs to the main actor: "closure #1 in Feed.register()"; nil: not known.
    let function: String?
    /// "MainActor.assumeIsolated", where the function only says that it is on the main actor.
    let claim: String?

    private static let claims = ["assumeIsolated", "assertIsolated", "preconditionIsolated"]
    private static let checks = [
        "swift_task_isCurrentExecutor", "swift_task_checkIsolated", "swift_task_reportUnexpectedExecutor",
    ]
    private static let words = "Incorrect actor executor assumption"

    /// Nil when the crash was another.
    init?(_ lastLine: LastLine) {
        let lines = String(decoding: lastLine.backtrace, as: UTF8.self).split(separator: "\n")
        guard let check = lines.lastIndex(where: { line in Self.checks.contains { line.contains($0) } })
        else {
            guard lastLine.text?.contains(Self.words) == true else { return nil }
            function = nil
            claim = nil
            return
        }
        var frames = lines[(check + 1)...]
        claim = frames.first.flatMap { frame in
            Self.claims.first { frame.contains("MainActor." + $0) }.map { "MainActor." + $0 }
        }
        // The claim is Swift's own function; its caller is the next frame.
        if claim != nil { frames = frames.dropFirst() }
        function = frames.first.flatMap { Self.function(inFrame: String($0)) }
    }

    var sentence: String {
        if let claim {
            return
                "This is Swift's actor check: \(function ?? "a closure") says with \(claim) that it is on the main "
                + "actor, but was run on another thread. Go there first, with `await MainActor.run`, or register the "
                + "handler with `using: .main`."
        }
        return
            "This is Swift's actor check: \(function ?? "a closure") belongs to the main actor, because it is written in "
            + "@MainActor code, but was run on another thread. Register the handler with `using: .main`, or write it "
            + "where it is nonisolated."
    }

    /// The likely cause of a Swift plugin's trap that left no trace: where Swift's backtracer is not installed, the
    /// check of actors leaves none.
    static func guess(_ ending: Ending, sdk: String, _ lastLine: LastLine) -> String? {
        guard ending == .signal(4) || ending == .signal(5), sdk.hasPrefix("swift"),
            lastLine.backtrace.isEmpty,
            lastLine.text?.contains("Fatal error") != true
        else { return nil }
        return
            "A trap without a message is often Swift's actor check: a closure written in @MainActor code "
            + "but run on another thread. Register the handler with `using: .main`, or write it where it is nonisolated. "
            + "Or code waits with `sync` for the queue on which it runs itself: call it directly there."
    }

    /// ` 5 [ra]  0x00007fb905cddd00 closure #1 in Feed.register() + 143 in Trap.so`
    static func function(inFrame frame: String) -> String? {
        guard let address = frame.firstRange(of: "0x"), let end = frame.ranges(of: " + ").last,
            let space = frame[address.lowerBound...].firstIndex(of: " "), space < end.lowerBound
        else { return nil }
        let name = frame[frame.index(after: space)..<end.lowerBound]
        return name.isEmpty ? nil : String(name.prefix(100))
    }
}
