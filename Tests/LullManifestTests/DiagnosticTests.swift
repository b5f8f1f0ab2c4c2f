import Testing

@testable import LullManifest

/// The caret stands under the place, whatever stands before it.
struct DiagnosticTests {
    /// The line and its caret for an unknown key in settings' place.
    func shown(_ line: String, column: Int, endColumn: Int? = nil) -> [String] {
        var diagnostic = Diagnostic(
            path: "f", line: 7, column: column, endColumn: endColumn, problem: .structure(.mergeKey))
        diagnostic.sourceLine = line
        return diagnostic.rendered().split(separator: "\n").dropFirst().dropLast().map(String.init)
    }

    @Test func `tabs become spaces`() {
        #expect(shown("a:\t\tx", column: 5, endColumn: 6) == ["    7 | a:      x", "      |         ^"])
    }

    @Test func `wide characters take two cells`() {
        #expect(shown("日本: 語 x", column: 5, endColumn: 6) == ["    7 | 日本: 語 x", "      |       ^~"])
        #expect(shown("日本: 語 x", column: 7, endColumn: 8) == ["    7 | 日本: 語 x", "      |          ^"])
    }

    @Test func `combining characters take none`() {
        #expect(shown("e\u{301}e\u{301} x", column: 6) == ["    7 | e\u{301}e\u{301} x", "      |    ^"])
    }

    @Test func `what would change the terminal is named instead`() {
        #expect(
            shown("\u{1B}[2J\u{202E}x", column: 6) == [
                "    7 | <U+001B>[2J<U+202E>x", "      |                    ^",
            ])
    }

    @Test func `a long line is cut around the place`() {
        let line = String(repeating: "a", count: 200) + "HERE" + String(repeating: "b", count: 200)
        #expect(
            shown(line, column: 201, endColumn: 205) == [
                "    7 | …" + String(repeating: "a", count: 60) + "HERE" + String(repeating: "b", count: 56)
                    + "…",
                "      | " + String(repeating: " ", count: 61) + "^~~~",
            ])
    }

    @Test func `a very long line is kept in part only`() throws {
        let long = String(repeating: "ü", count: 10_000)
        let item = Case("", task: "kind: refresh\nsettings: { a: \(long), b: .inf, c: \(long) }")
        let diagnostic = try #require(read(item.bytes).diagnostics.first)
        #expect(diagnostic.column == 10_029)
        #expect(try #require(diagnostic.sourceLine).utf8.count <= SourceLines.kept + 1)
        let lines = diagnostic.rendered().split(separator: "\n")
        let caret = try #require(lines[2].firstIndex(of: "^"))
        let place = lines[1].index(
            lines[1].startIndex, offsetBy: lines[2].distance(from: lines[2].startIndex, to: caret))
        #expect(lines[1][place...].hasPrefix(".inf"))
    }

    @Test func `a caret at the line's end points behind it`() {
        #expect(shown("ab", column: 3) == ["    7 | ab", "      |   ^"])
        #expect(shown("", column: 1) == ["    7 | ", "      | ^"])
        #expect(shown("ab", column: 9000, endColumn: 9001) == ["    7 | ab", "      |   ^"])
    }

    @Test func `a large line number has its room`() {
        var diagnostic = Diagnostic(path: "f", line: 123_456, column: 1, problem: .structure(.mergeKey))
        diagnostic.sourceLine = "x"
        #expect(diagnostic.rendered().split(separator: "\n")[1...2] == [" 123456 | x", "        | ^"])
    }

    @Test func `colour is added and changes no letter`() {
        var diagnostic = Diagnostic(path: "f", line: 1, column: 1, problem: .structure(.mergeKey))
        diagnostic.sourceLine = "<<: x"
        let coloured = diagnostic.rendered(colour: true)
        #expect(coloured.hasPrefix("\u{1B}[1mf:1:1:\u{1B}[0m \u{1B}[1;31merror:\u{1B}[0m "))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == diagnostic.rendered())
    }

    @Test func `a log is told what is wrong, and none of the text`() throws {
        let item = Case("", task: "kind: refresh\nsettings: { s3cr3t: .inf }")
        let diagnostic = try #require(read(item.bytes).diagnostics.first)
        #expect(
            diagnostic.logged.contains("a number in `settings` is one that JSON does not have; `lull check`"))
        let broken = try #require(read(Case("", task: "s3cr3t\nkind: refresh").bytes).diagnostics.first)
        #expect(!broken.logged.contains("something here"))
        for diagnostic in [diagnostic, broken] { #expect(!diagnostic.logged.contains("s3cr3t")) }
    }

    @Test func `problems come in the file's order`() {
        let item = Case("", task: "repaet: 1\nkind: refrsh\nnice: 50\ntimezone: X/Y\ndescription: []")
        let places = read(item.bytes).diagnostics.map(\.line)
        #expect(places == places.sorted())
        #expect(places.count == 5)
    }
}
