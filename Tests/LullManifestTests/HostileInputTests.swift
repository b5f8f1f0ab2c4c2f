import LullModel
import Testing

@testable import LullManifest

/// No bytes make the reader trap, and none pass without a manifest or a reason.
struct HostileInputTests {
    func survives(_ bytes: [UInt8], _ origin: String) {
        let result = read(bytes)
        let hasErrors = result.diagnostics.contains { $0.severity == .error }
        #expect((result.manifest == nil) == hasErrors, "\(origin)")
        for diagnostic in result.diagnostics {
            let text = diagnostic.rendered()
            #expect(!diagnostic.message.isEmpty && !diagnostic.fix.isEmpty, "\(origin)")
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
            #expect(controls.isEmpty, "\(origin): \(text)")
        }
        let places = result.diagnostics.filter { $0.line > 0 }
        for (a, b) in zip(places, places.dropFirst()) {
            #expect((a.line, a.column) <= (b.line, b.column), "\(origin)")
        }
    }

    @Test func `random bytes`() {
        for seed in UInt64(0)..<300 {
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...400, using: &generator)
            survives((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }, "seed \(seed)")
        }
    }

    @Test func `random YAML`() {
        let pieces = [
            "version", "apps", "tasks", "kind", ": ", ":", "- ", "\n", "\n  ", "\n    ", "{", "}", "[", "]",
            ", ", "'", "\"", "&a ",
            "*a", "!!x ", "|", ">", "%", "@", "#", "\t", "?", "<<", "1", "refresh", "com.example.A", "---\n",
            "...\n", "\\", "é", "日",
            "\r", "settings", "usage", "~", "00",
        ]
        for seed in UInt64(0)..<2000 {
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...60, using: &generator)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }
                .joined()
            survives(Array(text.utf8), "seed \(seed)")
        }
    }

    @Test func `each beginning of a good manifest`() {
        let bytes = Array(ManifestReaderTests.example.utf8)
        for count in 0..<bytes.count { survives(Array(bytes.prefix(count)), "prefix \(count)") }
    }

    @Test func `a good manifest with one byte changed`() {
        let bytes = Array(ManifestReaderTests.example.utf8)
        for seed in UInt64(0)..<1500 {
            var generator = SeededGenerator(seed: seed)
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                in: 0...255, using: &generator)
            survives(changed, "seed \(seed)")
        }
    }

    @Test func `a good manifest with its lines shuffled`() {
        let lines = ManifestReaderTests.example.split(separator: "\n", omittingEmptySubsequences: false)
        for seed in UInt64(0)..<300 {
            var generator = SeededGenerator(seed: seed)
            survives(Array(lines.shuffled(using: &generator).joined(separator: "\n").utf8), "seed \(seed)")
        }
    }

    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            "{", "[", "? ", "- ", "a: ", "'", "\"", "&a ", "*a", "a:\n ", "!", "\t", "%", "{a: [", "|\n",
        ])
    func `one thing many times`(_ piece: String) {
        survives(Array(String(repeating: piece, count: 20_000).utf8), piece)
        survives(Array(("version: 1\napps:\n  a: " + String(repeating: piece, count: 20_000)).utf8), piece)
    }
}
