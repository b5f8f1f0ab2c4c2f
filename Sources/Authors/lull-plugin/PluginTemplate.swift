import ArgumentParser
import LullCommands
import LullModel

/// The files of a new plugin.
struct PluginTemplate {
    let name: String
    let app: AppIdentifier
    /// The folder of the SDK.
    let sdk: String
    let language: PluginLanguage

    /// The files, by their paths in the folder.
    var files: [(path: String, text: String)] {
        let own = language == .swift ? swiftFiles : cFiles
        return own + [("jobs.yaml", manifest), ("README.md", readme), (".gitignore", ignored)]
    }

    /// The commands that build, test, check and run it.
    var steps: [String] {
        let build = language == .swift ? ["swift build", "swift test"] : ["make", "make test"]
        return build + [
            "lull plugin check \(library) --manifest jobs.yaml",
            "lull launch \(app).greet --state .lull",
            "lull run --state .lull",
        ]
    }

    private var library: String { (language == .swift ? ".build/debug/" : "./") + "lib\(name).so" }

    private var ignored: String {
        language == .swift ? ".build/\nPackage.resolved\n.lull/\n" : "*.so\n\(name)Tests\n.lull/\n"
    }

    private var manifest: String {
        """
        # Which tasks \(name) may run, and when. `lull check` says whether this file is right.
        version: 1
        apps:
          \(app):
            plugin: \(library)
            usage: manual                     # told by `lull used \(app)`
            settings: { greeting: Hello, keep_lines: 100 }
            tasks:
              greet:                          # short for \(app).greet
                kind: refresh
                repeat: 1h
              tidy:
                kind: processing
                repeat: 7d

        """
    }

    private var readme: String {
        let place =
            language == .swift
            ? "Set `LULL_SDK` to build with another SDK folder than `\(sdk)`."
            : "Set `LULL_INCLUDE` to build with another folder that has `lull_plugin.h`. Otherwise the Makefile asks pkg-config, "
                + "and then uses `\(include)`."
        return """
            # \(name)

            An app for Lull with two tasks: `greet` adds a line to a file in the app's state folder, `tidy` shortens the file.

            ```
            \(steps.joined(separator: "\n"))
            ```

            `lull plugin check` tests the plugin against the contract, and exits with 1 if it breaks it: run it in your CI. `lull
            launch` runs one task now, and shows the result; `lull run` is the host, and launches the tasks when their time has
            come. `lull history --state .lull` shows what happened.

            \(place)

            To ship it, \(language == .swift ? "build with `swift build -c release -Xswiftc -static-stdlib`" : "run `make`"), put \
            `lib\(name).so` into a folder of the host's plugin path, such as `/usr/local/lib/lull/plugins`, and write `plugin: \(name)`.

            """
    }

    /// The folder with `lull_plugin.h`.
    var include: String { sdk + "/Sources/CLullPlugin/include" }
}
