import ArgumentParser
import Foundation
import Glibc
import LullCommands
import LullImport
import LullModel

extension ImportTarget {
    func write(_ manifest: ImportedManifest) throws {
        for note in manifest.notes { Output.error(styled: Self.rendered(note, for: .error)) }
        // `-` usually means standard output, which is used without the option as well.
        if let out, out != "-" {
            try write(manifest.text, to: out)
            Output.error("\(out): \(Self.size(manifest)). Next: lull check \(out)")
        } else {
            Output.data(manifest.text)
            Output.error(Self.size(manifest) + ".")
        }
        if manifest.leftOut > 0 || manifest.taskCount == 0 { throw ExitCode(1) }
    }

    static func size(_ manifest: ImportedManifest) -> String {
        let lost = manifest.leftOut == 0 ? "" : ", \(manifest.leftOut) not carried over"
        return Phrase.count(manifest.taskCount, "task") + lost
            + (manifest.passedOver == 0 ? "" : ", \(manifest.passedOver) left out, as nothing ran them")
    }

    static func rendered(_ note: ImportNote, for terminal: Terminal) -> String {
        let place = terminal.styled("\(note.path):\(note.line):".terminalSafe, .bold)
        let label = terminal.styled(
            note.severity.rawValue + ":",
            note.severity == .error ? .red : note.severity == .warning ? .yellow : .bold)
        return "\(place) \(label) \(note.message.terminalSafeLines)\nhelp: \(note.fix.terminalSafeLines)"
    }

    /// Under another name first, so that nobody finds half a manifest.
    private func write(_ text: String, to path: String) throws {
        if let there = FileManager.default.contents(atPath: path), there != Data(text.utf8), !force {
            throw Failure(
                "\(path) is there already, with other lines in it. Name another file, or replace it with --force."
            )
        }
        do {
            // Only its owner can read a crontab, and many hold passwords.
            try FreshFile.write(Data(text.utf8), to: path, mode: 0o600)
        } catch {
            let reason = String(cString: strerror(error.code))
            throw Failure("Can't write \(path): \(reason). Name a file in a folder that you may write to.")
        }
    }
}
