import ArgumentParser
import Foundation
import Glibc
import LullImport
import LullModel

/// Where an imported manifest goes, and what is said of it.
struct ImportTarget: ParsableArguments {
    @Option(help: ArgumentHelp("Write the manifest here instead of to standard output.", valueName: "file"))
    var out: String?
    @Flag(help: "Replace the file if it exists.") var force = false

    func write(_ manifest: ImportedManifest) throws {
        for note in manifest.notes { Output.error(styled: rendered(note)) }
        if let out {
            try write(manifest.text, to: out)
            Output.error("\(out): \(Self.size(manifest)). Next: lull check \(out)")
        } else {
            Output.data(manifest.text)
            Output.error(Self.size(manifest) + ".")
        }
        if manifest.leftOut > 0 || manifest.taskCount == 0 { throw ExitCode(1) }
    }

    private static func size(_ manifest: ImportedManifest) -> String {
        let tasks = manifest.taskCount == 1 ? "1 task" : "\(manifest.taskCount) tasks"
        let lost = manifest.leftOut == 0 ? "" : ", \(manifest.leftOut) not carried over"
        return tasks + lost
            + (manifest.passedOver == 0 ? "" : ", \(manifest.passedOver) left out, as nothing ran them")
    }

    private func rendered(_ note: ImportNote) -> String {
        let terminal = Terminal.error
        let place = terminal.styled("\(note.path):\(note.line):".harmless, .bold)
        let label = terminal.styled(
            note.severity.rawValue + ":",
            note.severity == .error ? .red : note.severity == .warning ? .yellow : .bold)
        return "\(place) \(label) \(note.message.harmlessLines)\nhelp: \(note.fix.harmlessLines)"
    }

    /// Under another name first, so that nobody finds half a manifest.
    private func write(_ text: String, to path: String) throws {
        if let there = FileManager.default.contents(atPath: path), there != Data(text.utf8), !force {
            throw Failure(
                "\(path) is there already, with other lines in it. Name another file, or replace it with --force."
            )
        }
        do {
            // The umask of many distributions lets a group write, and whose manifest that is lull would ask.
            try FreshFile.write(Data(text.utf8), to: path, mode: 0o644)
        } catch {
            let reason = String(cString: strerror(error.code))
            throw Failure("Can't write \(path): \(reason). Name a file in a folder that you may write to.")
        }
    }
}
