import Foundation
import TestSupport
import Testing

/// `lull plugin new`: its result builds, tests, passes its check and runs, with nothing but the SDK.
struct PluginNewTests {
    private let sdk = Workshop.root.appendingPathComponent("packaging/sdk").path

    private func run(_ tool: String, _ arguments: String..., in folder: String) throws -> Program.Result {
        try Program.run("/usr/bin/env", [tool] + arguments, in: folder)
    }

    private func lull(_ arguments: String...) throws -> Program.Result {
        try Program.run(Workshop.products.appendingPathComponent("lull").path, arguments)
    }

    /// Checks a plugin and runs one of its tasks, with the commands of its README.
    private func tryOut(_ workshop: Workshop, folder: String, library: String, task: String) throws {
        let products = Workshop.products.path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let here = "\(workshop.folder)/\(folder)"
        let manifest = try String(contentsOfFile: here + "/jobs.yaml", encoding: .utf8)
        let usage = "    usage: manual"
        #expect(manifest.contains(usage))
        // However slow the machine is, no run of a good plugin ends too late.
        try manifest.replacing(usage, with: "    grace: 10m\n" + usage)
            .write(toFile: here + "/jobs.yaml", atomically: true, encoding: .utf8)
        for command in [
            "lull check", "lull plugin check \(library) --manifest jobs.yaml --seed 3",
            "lull launch \(task) --state .lull",
        ] {
            let result = try Program.run(
                "/usr/bin/env", ["PATH=\(products):\(path)", "sh", "-c", command], in: here)
            #expect(result.status == 0, "\(command): \(result.output) \(result.error)")
            #expect(!result.output.contains("warning"), "\(result.output)")
        }
        let app = try #require(task.lastIndex(of: ".").map { String(task[..<$0]) })
        let file = "\(here)/.lull/apps/\(app)/greetings.txt"
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix(" Hello\n"))
    }

    @Test func `a plugin in C builds without a warning, tests, passes its check and runs`() throws {
        let workshop = try Workshop()
        let made = try lull(
            "plugin", "new", "Hello", "--language", "c", "--path", workshop.folder + "/hello", "--app",
            "org.example.Hi")
        #expect(made.status == 0, "\(made.error)")
        #expect(made.output.contains("It uses the SDK in \(sdk)."), "\(made.output)")
        let folder = workshop.folder + "/hello"
        let built = try run(
            "make", "CFLAGS=-O1 -Werror -Wpedantic", "LULL_INCLUDE=\(sdk)/Sources/CLullPlugin/include",
            in: folder)
        #expect(built.status == 0, "\(built.error)")
        let tested = try run("make", "test", in: folder)
        #expect(
            tested.status == 0 && tested.output.contains("Hello: all is well"),
            "\(tested.output) \(tested.error)")
        try tryOut(workshop, folder: "hello", library: "libHello.so", task: "org.example.Hi.greet")
    }

    @Test func `a plugin in Swift builds, passes its check and runs`() throws {
        let workshop = try Workshop()
        let made = try lull(
            "plugin", "new", "Feed", "--language", "swift", "--path", workshop.folder + "/Feed")
        #expect(made.status == 0, "\(made.error)")
        let built = try run(
            "swift", "build", "-Xswiftc", "-warnings-as-errors", in: workshop.folder + "/Feed")
        #expect(built.status == 0, "\(built.output) \(built.error)")
        try tryOut(
            workshop, folder: "Feed", library: ".build/debug/libFeed.so", task: "com.example.Feed.greet")
    }

    @Test func `nothing that is there is replaced`() throws {
        let workshop = try Workshop()
        let again = try lull("plugin", "new", "Hello", "--language", "c", "--path", workshop.folder)
        #expect(again.status == 1)
        #expect(again.error.contains("is not empty, and this command replaces nothing"), "\(again.error)")
    }

    @Test(arguments: [
        (["9lives", "--language", "c"], 64, "use a letter, then letters and digits"),
        (["Foundation", "--language", "swift"], 64, "is the name of a module"),
        (["Feed", "--language", "cobol"], 64, "cobol"), (["Feed"], 64, "--language"),
        (["Feed", "--language", "c", "--app", "nodots"], 64, "nodots"),
        (["Feed", "--language", "c", "--sdk", "/nowhere"], 1, "/nowhere is not Lull's SDK"),
    ])
    func `what makes no sense is refused`(arguments: [String], status: Int32, words: String) throws {
        let workshop = try Workshop()
        let result = try Program.run(
            Workshop.products.appendingPathComponent("lull").path,
            ["plugin", "new"] + arguments + ["--path", workshop.folder + "/new"])
        #expect(result.status == status)
        #expect(result.error.contains(words), "\(result.error)")
        #expect(!FileManager.default.fileExists(atPath: workshop.folder + "/new"))
    }

    @Test func `the manual has a page for each command`() throws {
        let workshop = try Workshop()
        #expect(try lull("generate-manual", workshop.folder, "2026-12-24").status == 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: workshop.folder).filter {
            $0.hasSuffix(".1")
        }
        #expect(
            pages.contains("lull.1") && pages.contains("lull-plugin-check.1") && pages.contains("lull-why.1"))
        let page = try String(contentsOfFile: workshop.folder + "/lull-plugin-check.1", encoding: .utf8)
        #expect(page.hasPrefix(".TH LULL-PLUGIN-CHECK 1 \"2026-12-24\""), "\(page.prefix(60))")
        for page in pages {
            let text = try String(contentsOfFile: workshop.folder + "/" + page, encoding: .utf8)
            #expect(text.contains("\n.SH EXIT STATUS\n") && text.contains("\n.SH ENVIRONMENT\n"), "\(page)")
            // A group without a description of its own leaves the examples to its commands.
            #expect(text.contains("\n.SH EXAMPLES\n") || !text.contains("\n.SH DESCRIPTION\n"), "\(page)")
            #expect(text.components(separatedBy: "xits with").count <= 3, "\(page)")
        }
        #expect(page.contains("\\fB\\-\\-manifest\\fR \\fIfile\\fR"))
        // A line of prose that begins with a point would be a macro.
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            let macro = line.prefix { $0 != " " }
            #expect(
                [".TH", ".SH", ".TP", ".B", ".BR", ".PP", ".nf", ".fi"].contains(String(macro)), "\(line)")
        }
    }

    @Test func `the manual of the manifest has each setting of a command`() throws {
        let workshop = try Workshop()
        #expect(try lull("generate-manual", workshop.folder, "2026-12-24").status == 0)
        let page = try String(contentsOfFile: workshop.folder + "/jobs.yaml.5", encoding: .utf8)
        let settings = try #require(
            page.components(separatedBy: ".SH SETTINGS OF THE PLUGIN COMMAND").dropFirst().first
        )
        .components(separatedBy: ".SH ")[0]
        for name in [
            "run", "shell", "env", "env_file", "secrets", "cwd", "stdin", "success", "grace_seconds",
        ] {
            #expect(settings.contains("\\fB\(name.replacing("_", with: "_"))\\fR"), "\(name)")
        }
        #expect(settings.contains("Required. For example `run: backup"))
    }

    @Test func `the SDK by itself has what the package's product has`() throws {
        let manifest = try String(
            contentsOf: Workshop.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let own = try String(contentsOfFile: sdk + "/Package.swift", encoding: .utf8)
        let room = try #require(manifest.firstMatch(of: /room\("BackgroundTasks", in: \.sdk, \[([^\]]*)\]/))
        let target = try #require(own.firstMatch(of: /name: "BackgroundTasks", dependencies: \[([^\]]*)\]/))
        #expect(room.1 == target.1)
    }
}
