import LullManifest
import Testing

@testable import LullCommands
@testable import lull

/// The text of `lull check` for many notes.
struct NoteListTests {
    private let terminal = Terminal(columns: 100)

    private func note(
        _ line: Int, _ subject: String, _ said: String, _ aside: String = "", isError: Bool = false
    )
        -> ManifestNote
    {
        ManifestNote(
            isError ? .error : .warning, at: SourcePlace(path: "jobs.yaml", line: line, column: 7),
            of: subject,
            said, aside: aside, fix: "install it")
    }

    @Test
    func
        `a warning of several lines is one with all of them, and errors stand among them in the order of the file`()
    {
        let notes = [
            note(9, "a.b.one", "no 'curl'", " in /bin"), note(12, "a.b.two", "no schema", isError: true),
            note(14, "a.b.three", "no 'rsync'"), note(16, "a.b.four", "no 'curl'"),
            note(20, "a.b.five", "no 'curl'"),
        ]
        #expect(
            NoteList(notes).rendered(for: terminal) == [
                "jobs.yaml:9:7: warning: a.b.one: no 'curl' in /bin\nhelp: install it\nalso: jobs.yaml:16, 20",
                "jobs.yaml:12:7: error: a.b.two: no schema\nhelp: install it",
                "jobs.yaml:14:7: warning: a.b.three: no 'rsync'\nhelp: install it",
            ])
        #expect(NoteList.count(notes) == "1 error, 4 warnings")
        #expect(NoteList.count(Array(notes.prefix(1))) == "1 warning")
    }

    @Test func `an error of many tasks is one with all their lines`() throws {
        let tasks = (1...26).map { "      t\($0): { kind: procesing }\n" }.joined()
        let text = "version: 1\napps:\n  com.example.A:\n    plugin: P\n    tasks:\n" + tasks
        let result = ManifestReader(pluginPath: []).read(text: Array(text.utf8), path: "jobs.yaml")
        let errors = result.diagnostics.filter { $0.message.contains("procesing") }.map(ManifestNote.init)
        #expect(errors.count == 26)
        let texts = NoteList(errors).rendered(for: terminal)
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("jobs.yaml:6:19: error: `kind` must be refresh") == true, "\(texts)")
        #expect(
            texts.first?.hasSuffix("\nalso: jobs.yaml:" + (7...31).map(String.init).joined(separator: ", "))
                == true)
    }

    @Test func `of very many lines, the first are listed and the rest is counted`() {
        let notes = (1...1000).map { note($0, "a.b.t", "unknown setting") }
        let last = NoteList(notes).rendered(for: terminal).first?.split(separator: "\n").last
        #expect(last == "also: jobs.yaml:\((2...51).map(String.init).joined(separator: ", ")) and 949 more")
    }

    @Test func `warnings that differ in a program's name are one, with the names`() {
        func note(_ line: Int, _ program: String) -> ManifestNote {
            var note = ManifestNote(
                .warning, at: SourcePlace(path: "jobs.yaml", line: line, column: 7), of: "a.b.t\(line)",
                "there is no program '\(program)' in PATH", fix: "install it")
            note.name = program
            return note
        }
        let notes = [note(6, "jq"), note(9, "rsync"), note(12, "rsync"), note(15, "jq")]
        #expect(
            NoteList(notes).rendered(for: terminal) == [
                "jobs.yaml:6:7: warning: a.b.t6: there is no program 'jq' in PATH\nhelp: install it\n"
                    + "also: jobs.yaml:9 (rsync), 12, 15 (jq)"
            ])
    }

    @Test func `notes stand in the order of the files`() {
        let notes = [note(20, "a", "x"), note(3, "b", "y", isError: true)]
        #expect(notes.inOrder(of: ["jobs.yaml"]).map(\.line) == [3, 20])
    }
}
