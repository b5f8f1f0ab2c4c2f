import Glibc

/// An executable beside `lull`, or in `libexec/lull`, that does a part of what `lull` is asked.
package struct CompanionProgram {
    package let name: String

    package init(named name: String) { self.name = name }

    private var places: [String] {
        let folder = StateOptions.programFolder
        return ["\(folder)/\(name)", "\(folder)/../libexec/lull/\(name)"]
    }

    /// Where it is; where it is in neither place, where it would be in a checkout.
    package var path: String { places.first { access($0, X_OK) == 0 } ?? places[0] }

    /// Hands this process, with its arguments, to the program. Returns only where it can't, with the sentence that says so.
    func replaceThisOne() -> String {
        let path = path
        guard access(path, X_OK) == 0 else { return missing }
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        execv(path, &arguments)
        return "\(path) can't be started: \(String(cString: strerror(errno)))."
    }

    /// That it is not there, and how one gets it.
    package var missing: String {
        let folder = StateOptions.programFolder
        let remedy =
            folder.contains("/.build/")
            ? "Build it: `make \(name)` in the checkout."
            : "Install the whole of Lull: `make install`, or its package."
        return "This needs \(name), which is neither in \(folder) nor in ../libexec/lull. \(remedy)"
    }
}
