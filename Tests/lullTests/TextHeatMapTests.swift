import Testing

@testable import lull

struct TextHeatMapTests {
    /// Two days of four hours.
    private static let small = TextHeatMap(
        rows: ["Mon", "Tue"], edges: [0: "0", 2: "2"], values: [[0, 0.25, 0.5, 1], [0.75, 0, 0, 0.1]], top: 1)

    @Test func `a map has a line for each row and a shade for each value`() {
        #expect(
            Self.small.lines(width: 80) == [
                "     0     2",
                "Mon     ░░░▒▒▒███",
                "Tue  ▓▓▓",
            ])
        #expect(Self.small.scale.text == "░▒▓█")
    }

    @Test func `a pointer in the margins leads to the hour that is now`() {
        var map = Self.small
        map.now = (row: 1, column: 2)
        #expect(
            map.lines(width: 80) == [
                "     0     2",
                "            ▾",
                "Mon     ░░░▒▒▒███",
                "Tue▸ ▓▓▓",
            ])
    }

    @Test(arguments: [
        (80, 1, 3), (77, 1, 3), (76, 1, 2), (54, 1, 2), (53, 1, 2), (52, 2, 2), (40, 2, 2), (29, 2, 2),
        (28, 2, 1), (17, 2, 1), (16, 4, 1), (5, 4, 1),
    ])
    func `a week fits into the width`(width: Int, columnsEach: Int, characters: Int) {
        let map = Self.week
        let layout = map.layout(width: width)
        #expect(layout == .init(columnsEach: columnsEach, characters: characters))
        guard width >= 16 else { return }
        for line in map.lines(width: width) { #expect(line.count <= width, "\(line)") }
    }

    private static var week: TextHeatMap {
        var values = [[Double]](repeating: [Double](repeating: 0, count: 24), count: 7)
        for day in 0..<5 { values[day][8] = 0.8 }
        values[5][23] = 0.4
        return TextHeatMap(
            rows: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
            edges: [0: "0", 6: "6", 12: "12", 18: "18"], values: values, top: 0.8, now: (row: 5, column: 9))
    }

    @Test func `in a narrow window two hours share a column and the greater is shown`() {
        #expect(
            Self.week.lines(width: 40) == [
                "     0     6     12    18",
                "             ▾",
                "Mon          ██",
                "Tue          ██",
                "Wed          ██",
                "Thu          ██",
                "Fri          ██",
                "Sat▸                       ▒▒",
                "Sun",
            ])
    }

    @Test func `without colour there is no escape sequence and with colour each line ends it`() {
        var map = Self.week
        #expect(!map.lines(width: 80).joined().contains("\u{1B}"))
        for depth in [TextHeatMap.Depth.indexed, .full] {
            map.depth = depth
            for line in map.lines(width: 80).dropFirst(2) {
                #expect(line.hasSuffix("\u{1B}[0m"))
                let plain = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
                #expect(plain.count == 5 + 72)
            }
        }
    }

    @Test func `colours are of the depth that was asked for`() {
        var map = Self.small
        map.depth = .full
        let top = Ramp.brightening.colour(at: 1)
        #expect(
            map.lines(width: 80)[1].contains("\u{1B}[48;2;\(top.red);\(top.green);\(top.blue)m   \u{1B}[0m"))
        map.depth = .indexed
        #expect(map.lines(width: 80)[1].contains("\u{1B}[48;5;195m   \u{1B}[0m"))
        #expect(!map.lines(width: 80)[1].contains("48;2;"))
    }

    @Test func `nonsense is drawn as nothing`() {
        let map = TextHeatMap(rows: ["Mon"], edges: [:], values: [[.nan, -3, .infinity, 7]], top: 1)
        #expect(map.lines(width: 40) == ["", "Mon           ███"])
        #expect(
            TextHeatMap(rows: ["Mon"], edges: [:], values: [[1]], top: 0).lines(width: 40) == ["", "Mon"])
    }
}
