import ArgumentParser
import LullModel

package struct PluginNewArguments: CommandArguments {
    package static let program = "lull-plugin"
    package static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a folder with a plugin that builds, tests and runs at once.",
        usage: "lull plugin new [<options>] <name> --language <language>",
        discussion: """
            The folder gets the source, a test, a jobs.yaml and a README that says how to build, check and run \
            it. From Lull it needs only the SDK. The command looks for it in this order: --sdk, $LULL_SDK, \
            ../share/lull/sdk beside the folder of `lull`, and the checkout in which `lull` was built. It \
            writes the place into the folder's Package.swift or Makefile; LULL_SDK or LULL_INCLUDE names \
            another one for a build.

            Examples:
              lull plugin new Feed --language swift
              lull plugin new Feed --language c --app org.example.Feed --path feed
            """)

    @Argument(help: "The plugin's name: a letter, then letters and digits.") package var name: String
    @Option(help: "The language to write it in.") package var language: PluginLanguage
    @Option(help: ArgumentHelp("The folder to create.", discussion: "Default ./NAME.", valueName: "dir"))
    package var path: String?
    @Option(
        help: ArgumentHelp(
            "The app's identifier.", discussion: "Default com.example.NAME.", valueName: "app"))
    package var app: AppIdentifier?
    @Option(help: ArgumentHelp("The folder of Lull's SDK, before any other.", valueName: "dir")) package
        var sdk: String?

    package func validate() throws {
        // The name becomes that of a module, a file and a library.
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9]{0,63}/) != nil else {
            throw ValidationError(
                "'\(name)' can't be a plugin's name: use a letter, then letters and digits, such as Feed.")
        }
        guard
            ![
                "BackgroundTasks", "BackgroundTasksTesting", "BackgroundTasksUI", "CLullPlugin", "CLullEntry",
                "Dispatch", "Foundation",
                "Network", "OSLog", "Swift", "SwiftUI", "Testing", "UIKit", "os",
            ].contains(name)
        else {
            throw ValidationError("'\(name)' is the name of a module that the plugin uses. Choose another.")
        }
    }

    package init() {}
}

package enum PluginLanguage: String, ExpressibleByArgument, CaseIterable {
    case swift, c

    package var name: String { self == .swift ? "Swift" : "C" }
}
