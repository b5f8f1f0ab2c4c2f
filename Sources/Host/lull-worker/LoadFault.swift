/// The faults that the loader and `start` find in a plugin, each as a sentence with its remedy. `PluginFacts` finds
/// those of the file itself before.
enum LoadFault {
    /// What `dlopen` says, in words that tell an operator what to do.
    static func sentence(_ path: String, _ words: String) -> String {
        // glibc begins with the file that is at fault, which may be one that the plugin needs.
        let file = String(words.prefix { $0 != ":" })
        if words.contains("invalid ELF header") || words.contains("file too short") {
            return "'\(path)' needs '\(file)', which is not a shared library. Reinstall that library."
        }
        if words.contains("wrong ELF class") || words.contains("ELF file's phentsize") {
            return
                "'\(path)' needs '\(file)', which was built for another kind of machine. Install it for this one."
        }
        if let symbol = word(after: "undefined symbol: ", in: words) {
            return
                "'\(file)' uses the symbol '\(symbol)', which none of its libraries has. Link the library that has "
                + "it; Lull itself gives a plugin only what `start` receives."
        }
        if let version = word(after: "version `", in: words), words.contains("not found") {
            return
                "'\(path)' was built against a newer \(file) than this machine's: it needs \(version). Build it on "
                + "this machine, or on an older one."
        }
        if words.contains("No such file or directory") {
            return file == path
                ? "There is no file '\(path)'. Build the plugin, or correct `plugin` in the manifest."
                : "'\(path)' needs the library '\(file)', which is not found. Install it, or put it beside the plugin "
                    + "and link with -rpath '$ORIGIN'."
        }
        if words.contains("Permission denied") {
            return "This user may not read '\(file)'. Change its permissions."
        }
        if words.contains("failed to map segment") {
            return
                "'\(file)' is on a file system mounted with noexec. Move it to another, such as "
                + "/usr/local/lib/lull/plugins."
        }
        if words.contains("static TLS") {
            return
                "'\(file)' needs more memory for each thread (initial-exec TLS) than a running program can give a library that it "
                + "loads. Build it with -ftls-model=global-dynamic, or jemalloc with --disable-initial-exec-tls."
        }
        if words.contains("executable stack") {
            return "'\(file)' needs an executable stack. Link it with -z noexecstack."
        }
        return "'\(path)' can't be loaded (\(words)). Rebuild it on this machine."
    }

    static func refused(_ path: String, _ status: Int32) -> String {
        "'\(path)' refused to start: `start` returned \(status) instead of 0. What it logged or printed says why."
    }

    private static func word(after mark: String, in words: String) -> String? {
        words.firstRange(of: mark).map { range in
            String(words[range.upperBound...].prefix { $0 != " " && $0 != "," && $0 != "'" })
        }
    }
}
