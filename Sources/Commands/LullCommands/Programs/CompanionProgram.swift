import Glibc

/// An executable beside `lull`, or in `libexec/lull`, that carries out some of its commands.
package struct CompanionProgram {
    package let name: String

    package init(named name: String) { self.name = name }

    private var places: [String] {
        let folder = StateOptions.programFolder
        return ["\(folder)/\(name)", "\(folder)/../libexec/lull/\(name)"]
    }

    /// Its path; if it is in neither place, the first of them.
    package var path: String { places.first { access($0, X_OK) == 0 } ?? places[0] }

    /// Replaces this process by the program, with the same arguments. Returns only if that fails, with an error sentence.
    func replaceThisOne() -> String {
        let path = path
        guard access(path, X_OK) == 0 else { return missing }
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        execv(path, &arguments)
        return "\(path) can't be started: \(String(cString: strerror(errno)))."
    }

    /// The error for a program that is missing, with its remedy.
    package var missing: String {
        let folder = StateOptions.programFolder
        let remedy =
            folder.contains("/.build/")
            ? "Build it: `make \(name)` in the checkout."
            : "Install the whole of Lull: `make install`, or its package."
        return "This needs \(name), which is neither in \(folder) nor in ../libexec/lull. \(remedy)"
    }
}
