import Synchronization

/// Names of Apple's that have no effect on a host, said once in a process: what an app uses while it launches is
/// said at its discovery, where its author and its operator look.
enum WithoutEffect {
    private static let said = Mutex<Set<String>>([])

    /// `name` as the source has it; `why`: a sentence, with what to do instead where there is something.
    static func say(_ name: String, _ why: String) {
        if isNew(name) { LullApp.log("\(name) has no effect here: \(why)", level: .notice) }
    }

    static func isNew(_ name: String) -> Bool {
        said.withLock { $0.insert(name).inserted }
    }
}
