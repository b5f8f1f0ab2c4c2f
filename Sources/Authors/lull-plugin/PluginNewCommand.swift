import ArgumentParser
import Foundation
import LullCommands
import LullModel

extension PluginNewArguments: RunnableArguments {
    package func run() throws {
        guard let app = app ?? AppIdentifier("com.example.\(name)") else {
            throw Failure("com.example.\(name) is not an app's identifier. Give one with --app.")
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
                "\(folder.path) is not empty, and this command replaces nothing. Name another folder with --path."
            )
        }
    }
}

/// Finds the sources that a plugin is built with.
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
