import Synchronization

/// Logs the use of an Apple API that has no effect here, once in a process. A use while the app launches is logged at its
/// discovery, where its author and its operator look.
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
