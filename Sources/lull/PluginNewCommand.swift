import ArgumentParser
import Foundation
import LullModel

struct PluginNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a folder with a plugin that builds, tests and runs at once.",
        usage: "lull plugin new [<options>] <name> --language <language>",
        discussion: """
            The folder gets the source, a test, a jobs.yaml and a README that says how to build, check and run it. Of \
            Lull it needs only the SDK, which is looked for in this order: --sdk, $LULL_SDK, ../share/lull/sdk beside \
            the folder of `lull`, and the checkout in which `lull` was built. The place that was found is written into \
            the folder's Package.swift or Makefile; LULL_SDK or LULL_INCLUDE names another one for a build.

            Examples:
              lull plugin new Feed --language swift
              lull plugin new Feed --language c --app org.example.Feed --path feed
            """)

    @Argument(help: "The plugin's name: a letter, then letters and digits.") var name: String
    @Option(help: "The language to write it in.") var language: PluginTemplate.Language
    @Option(help: ArgumentHelp("The folder to make.", discussion: "Without it ./NAME.", valueName: "dir"))
    var path: String?
    @Option(
        help: ArgumentHelp(
            "The app's identifier.", discussion: "Without it com.example.NAME.", valueName: "app"))
    var app: AppIdentifier?
    @Option(help: ArgumentHelp("The folder of Lull's SDK, before any other.", valueName: "dir")) var sdk:
        String?

    func validate() throws {
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

    func run() throws {
        guard let app = app ?? AppIdentifier("com.example.\(name)") else {
            throw Failure("com.example.\(name) is no app's identifier. Give one with --app.")
        }
        let template = PluginTemplate(
            name: name, app: app, sdk: try SDKPlace.find(sdk), language: language)
        let folder = URL(fileURLWithPath: path ?? name).standardizedFileURL
        try refuseOccupied(folder)
        for (file, text) in template.files {
            let place = folder.appendingPathComponent(file)
            do {
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: place, atomically: true, encoding: .utf8)
            } catch {
                throw Failure("\(place.path) can't be written: \(error.localizedDescription)")
            }
        }
        Output.answer(
            """
            \(folder.path) has a plugin in \(language.name) for \(app).
            It uses the SDK in \(template.sdk). What to do next:

              cd \(folder.path)
            \(template.steps.map { "  " + $0 }.joined(separator: "\n"))
            """)
    }

    private func refuseOccupied(_ folder: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else {
            throw Failure("\(folder.path) is a file. Name a folder with --path.")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard names.isEmpty else {
            throw Failure(
                "\(folder.path) is not empty, and nothing in it is replaced. Name another folder with --path."
            )
        }
    }
}

/// Where the sources lie that a plugin is built with.
enum SDKPlace {
    static func find(_ option: String?) throws -> String {
        let environment = ProcessInfo.processInfo.environment["LULL_SDK"].flatMap { $0.isEmpty ? nil : $0 }
        if let named = option ?? environment {
            let path = URL(fileURLWithPath: named).standardizedFileURL.path
            guard isSDK(path) else {
                throw Failure(
                    "\(path) is not Lull's SDK: it has no Sources/BackgroundTasks. Name the folder share/lull/sdk "
                        + "of an installed Lull, or packaging/sdk of a checkout.")
            }
            return path
        }
        let program = URL(fileURLWithPath: StateOptions.programFolder)
        var places = [program.appendingPathComponent("../share/lull/sdk").standardizedFileURL.path]
        var folder = program
        while folder.path != "/" {
            places.append(folder.appendingPathComponent("packaging/sdk").path)
            folder.deleteLastPathComponent()
        }
        guard let place = places.first(where: isSDK) else {
            throw Failure(
                "Lull's SDK is neither in \(places[0]) nor in a checkout around \(program.path). Install it with "
                    + "`make install`, or name its folder with --sdk.")
        }
        return place
    }

    private static func isSDK(_ path: String) -> Bool {
        ["/Package.swift", "/Sources/BackgroundTasks", "/Sources/CLullPlugin/include/lull_plugin.h"]
            .allSatisfy {
                FileManager.default.fileExists(atPath: path + $0)
            }
    }
}
