import Testing

@testable import LullCommands
@testable import lull

/// Tables and paragraphs in the width that there is.
struct TableTests {
    private let rows: [[Table.Cell]] = [
        [
            .init("com.example.ColorFeed.refresh"), .init("processing"), .init("waits"),
            .init("ok, 3 min ago"),
            .init("load is 0.72 per core, over the 0.5 that is asked for (since yesterday 23:10)"),
        ],
        [
            .init("org.例え.とても長い名前のアプリ.更新"), .init("refresh"), .init("runs"), .init("never"),
            .init("run 12 is under way; 40 %, 写真の書き出し: ページ4 of /srv/pictures/2026/november/originals"),
        ],
    ]

    private func table(_ columns: Int) -> [String] {
        Table(header: ["TASK", "KIND", "STATE", "LAST RUN", "WHY"], rows: rows)
            .rendered(for: Terminal(columns: columns)).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [24, 40, 60, 80, 120, 200])
    func `no line of a table is wider than the terminal`(columns: Int) {
        for line in wrappedTable(columns) { #expect(line.displayWidth <= columns, "\(line)") }
    }

    /// As a terminal gets it: long words are broken there.
    private func wrappedTable(_ columns: Int) -> [String] {
        table(columns).flatMap {
            $0.displayWidth <= columns ? [$0] : wrapped($0, to: columns, breaking: true)
        }
    }

    @Test(arguments: [40, 60, 80])
    func `what does not stand beside the first column stands below it`(columns: Int) {
        let text = table(columns).joined(separator: " ").split(separator: " ").joined(separator: " ")
        for words in ["processing", "ok, 3 min ago", "0.5 that is asked for", "run 12 is under way"] {
            #expect(text.contains(words), "\(columns): \(text)")
        }
    }

    @Test func `at 40 columns a table reads so`() {
        #expect(
            Table(header: ["TASK", "KIND", "STATE", "LAST RUN", "WHY"], rows: [rows[0]])
                .rendered(for: Terminal(columns: 40)) == """
                    TASK
                        KIND · STATE · LAST RUN
                        WHY
                    com.example.ColorFeed.refresh
                        processing · waits · ok, 3 min ago
                        load is 0.72 per core, over the 0.5
                        that is asked for (since yesterday
                        23:10)

                    """)
    }

    @Test func `wide characters are counted as two`() {
        #expect("更新 OK".displayWidth == 7)
        #expect("e\u{301}".displayWidth == 1)
        #expect("🇩🇪👩‍👩‍👧".displayWidth == 4)
        #expect("更新する".elided(to: 6) == "更新…")
        #expect("更新".padded(to: 6) == "更新  ")
    }

    @Test func `a name loses its beginning, a sentence its end`() {
        #expect("com.example.ColorFeed.refresh".elided(to: 12) == "…eed.refresh")
        #expect("not before tomorrow 01:00".elided(to: 12) == "not before …")
        #expect("short".elided(to: 12) == "short")
        #expect("ab".elided(to: 1) == "…")
    }

    @Test func `a long word is broken behind a mark, and only where a person looks on`() {
        let path = "see /srv/pictures/2026/november/originals now"
        #expect(
            wrapped(path, to: 16, breaking: true) == [
                "see", "/srv/pictures/", "2026/november/", "originals now",
            ])
        #expect(
            wrapped(path, to: 16, breaking: false) == ["see", "/srv/pictures/2026/november/originals", "now"])
    }

    @Test func `what a plugin says can't steer the terminal`() {
        let table = Table(
            header: ["A", "B"], rows: [[.init("x\u{1B}[2J"), .init("\u{9B}31mred\u{7}\u{202E}")]])
        let text = table.rendered(for: Terminal(columns: 80))
        #expect(text.contains("x␛[2J"))
        for scalar in text.unicodeScalars where scalar != "\n" {
            #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "\u{202E}")
        }
    }
}
