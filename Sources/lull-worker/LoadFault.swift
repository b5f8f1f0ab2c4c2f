import CLullPlugin

/// What can be wrong with a plugin's file, each as a sentence with its remedy.
enum LoadFault {
    /// What `dlopen` says, in words that tell an operator what to do.
    static func sentence(_ path: String, _ words: String) -> String {
        // glibc begins with the file that is at fault, which may be one that the plugin needs.
        let file = String(words.prefix { $0 != ":" })
        if words.contains("invalid ELF header") || words.contains("file too short") {
            return
                "'\(file)' is not a shared library. Build the plugin as one: a dynamic library product of a Swift "
                + "package, or gcc -shared -fPIC."
        }
        if words.contains("wrong ELF class") || words.contains("ELF file's phentsize") {
            return "'\(file)' was built for another kind of machine. Build it on this one."
        }
        if let range = words.firstRange(of: "undefined symbol: ") {
            let symbol = words[range.upperBound...].prefix { $0 != " " && $0 != "," }
            return
                "'\(file)' uses the symbol '\(symbol)', which none of its libraries has. Link the library that has "
                + "it; Lull itself offers a plugin nothing but what `start` is handed."
        }
        if words.contains("No such file or directory") {
            return file == path
                ? "There is no file '\(path)'. Build the plugin, or correct `plugin` in jobs.yaml."
                : "'\(path)' needs the library '\(file)', which is not found. Install it, or put it beside the plugin "
                    + "and link with -rpath '$ORIGIN'."
        }
        if words.contains("Permission denied") {
            return "'\(file)' may not be read by this user. Change its permissions."
        }
        return "'\(path)' can't be loaded (\(words)). Build it anew on this machine."
    }

    static func noEntry(_ path: String) -> String {
        "'\(path)' is no plugin: it does not export 'lull_plugin_entry'. Define it as lull_plugin.h shows; in "
            + "Swift, put @main before a BackgroundTasksApp and link BackgroundTasks."
    }

    static func tooSmall(_ path: String, _ size: Int, _ least: Int) -> String {
        "'\(path)' says that its lull_plugin_entry has \(size) bytes, but version 1.0 has at least \(least). Set its "
            + "`size` to sizeof(lull_plugin)."
    }

    static func wrongMajor(_ path: String, _ major: UInt16, _ minor: UInt16) -> String {
        "'\(path)' was built against version \(major).\(minor) of the plugin interface, and this worker speaks "
            + "\(LULL_ABI_MAJOR).\(LULL_ABI_MINOR). Build it with the lull_plugin.h of this Lull."
    }

    static func missing(_ path: String, _ function: String) -> String {
        "'\(path)' has no `\(function)` in its lull_plugin_entry. Set it; only `run` may be null."
    }

    static func refused(_ path: String, _ status: Int32) -> String {
        "'\(path)' refused to start: `start` returned \(status) instead of 0. What it logged or printed says why."
    }
}
