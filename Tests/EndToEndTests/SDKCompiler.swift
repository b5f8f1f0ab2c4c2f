import Foundation
import TestSupport
import Testing

/// Compiles an author's sources, as SwiftPM does with `packaging/sdk`, but with the modules that are built beside these tests.
struct SDKCompiler {
    private let workshop: Workshop
    private let made: String
    private var objects: [String] = []

    /// Compiles these modules, each after those that it imports.
    init(_ workshop: Workshop, modules: [String]) throws {
        self.workshop = workshop
        made = workshop.folder + "/modules"
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        for target in ["BackgroundTasks", "BackgroundTasksUI", "CLullEntry", "UserNotifications"] {
            let folder = Workshop.products.appendingPathComponent(target + ".build").path
            // SwiftPM leaves an object in place when its source is deleted.
            let sources = try? String(contentsOfFile: folder + "/sources", encoding: .utf8)
            objects += try Self.files(folder, ".o").filter { object in
                let source = "/" + URL(fileURLWithPath: object).deletingPathExtension().lastPathComponent
                return sources?.split(separator: "\n").contains { $0.hasSuffix(source) } ?? true
            }
        }
        for module in modules {
            let folder = Workshop.root.appendingPathComponent("Sources/SDK/Imports/" + module).path
            let object = "\(made)/\(module).o"
            try compile(
                [
                    "-c", "-o", object, "-emit-module", "-emit-module-path", "\(made)/\(module).swiftmodule",
                    "-module-name", module, "-swift-version", "6",
                ] + Self.files(folder, ".swift"))
            objects.append(object)
        }
    }

    /// Links the sources of a folder of the repository into a file of the workshop.
    func link(_ sources: String, as product: String, _ options: String...) throws {
        let folder = Workshop.root.appendingPathComponent(sources).path
        try compile(
            options + ["-o", "\(workshop.folder)/\(product)"] + Self.files(folder, ".swift") + objects)
    }

    private static func files(_ folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }.sorted()
            .map { folder + "/" + $0 }
    }

    private func compile(_ arguments: [String]) throws {
        let headers = ["C/CLullPlugin", "C/CLullEntry", "SDK/Imports/CLullImports"].map {
            Workshop.root.appendingPathComponent("Sources/\($0)/include").path
        }
        let search = ([made, Workshop.products.path + "/Modules"] + headers).flatMap { ["-I", $0] }
        let result = try Program.run(
            "/usr/bin/env", ["swiftc", "-parse-as-library", "-wmo", "-Onone"] + search + arguments, in: made)
        #expect(result.status == 0, "\(result.error)")
    }
}
