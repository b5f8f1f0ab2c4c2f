import LullModel

/// The apps and tasks that were seen so far, in all files of a manifest: each belongs in one place.
struct KnownIdentifiers {
    struct Place {
        var file: String
        /// From 1.
        var line: Int

        func seen(from file: String) -> IdentifierProblem.FirstPlace {
            IdentifierProblem.FirstPlace(file: file == self.file ? nil : self.file, line: line)
        }
    }

    var apps: [String: Place] = [:]
    var tasks: [String: (place: Place, app: String)] = [:]
    /// The chains of `after`, in the order of the files: they are checked once all tasks are known.
    var links: [Link] = []

    /// Where each group of tasks is named first, without a problem yet.
    var groups: [String: Diagnostic] = [:]

    /// One task that follows another.
    struct Link {
        /// The next of the chain, and the one before it.
        let next: TaskIdentifier
        let before: TaskIdentifier
        /// Where it is written, without a problem yet.
        var place: Diagnostic
    }
}
