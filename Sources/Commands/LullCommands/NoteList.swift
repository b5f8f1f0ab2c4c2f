import LullManifest
import LullModel

/// Notes for a reader: each once with all its places, in the order of the files.
package struct NoteList {
    private let notes: [ManifestNote]
    /// Of a file, so many lines of a note are listed: whoever has mended these looks again.
    private static let most = 50

    package init(_ notes: [ManifestNote]) { self.notes = notes }

    package func rendered(for terminal: Terminal) -> [String] {
        var alike: [ManifestNote.Likeness: [ManifestNote]] = [:]
        var order: [ManifestNote.Likeness] = []
        for note in notes {
            if alike[note.likeness] == nil { order.append(note.likeness) }
            alike[note.likeness, default: []].append(note)
        }
        return order.compactMap { alike[$0] }.map { notes in
            ([notes[0].rendered(for: terminal)] + Self.places(of: notes)).joined(separator: "\n")
        }
    }

    /// The places of all but the first: "also: jobs.yaml:24, 31 (rsync), 40", a line for each file.
    private static func places(of notes: [ManifestNote]) -> [String] {
        var files: [(path: String, lines: [String])] = []
        var name = notes.first?.name
        for note in notes.dropFirst() {
            var line = String(note.line ?? 0)
            if let other = note.name, other != name { line += " (\(other.terminalSafe))" }
            name = note.name
            if files.last?.path == note.path {
                files[files.count - 1].lines.append(line)
            } else {
                files.append((note.path, [line]))
            }
        }
        return files.map { path, lines in
            let rest = lines.count - most
            return "also: \(path):" + lines.prefix(most).joined(separator: ", ")
                + (rest > 0 ? " and \(rest) more" : "")
        }
    }

    /// "1 error, 3 warnings".
    package static func count(_ notes: [ManifestNote]) -> String {
        [("error", Diagnostic.Severity.error), ("warning", .warning)].compactMap { word, severity in
            let count = notes.count { $0.severity == severity }
            return count == 0 ? nil : Phrase.count(count, word)
        }.joined(separator: ", ")
    }
}

extension [ManifestNote] {
    /// The notes in the order of the manifest's files, and of the places in them.
    package func inOrder(of manifest: [String]) -> [ManifestNote] {
        let order = Dictionary(manifest.enumerated().map { ($1, $0) }) { first, _ in first }
        func place(_ note: ManifestNote) -> (Int, Int, Int) {
            (order[note.path] ?? order.count, note.line ?? 0, note.column ?? 0)
        }
        return enumerated().sorted {
            let (one, other) = (place($0.element), place($1.element))
            return one == other ? $0.offset < $1.offset : one < other
        }.map(\.element)
    }
}
