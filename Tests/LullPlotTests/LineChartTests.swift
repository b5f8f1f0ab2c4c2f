import Testing

@testable import LullPlot

struct LineChartTests {
    static func backtest() -> LineChart {
        var chart = LineChart(
            title: "Fresh at use", subtitle: "36 apps over 26 weeks",
            x: Axis("launches per app and day", showing: 0...24),
            y: Axis("fresh when used", format: .percent, showing: 0...1))
        let launches = [1.0, 2, 4, 8, 12, 24]
        chart.series = [
            .init("Lull", zip(launches, [0.21, 0.37, 0.58, 0.79, 0.88, 0.95]).map { .init($0, $1) }),
            .init("fixed interval", zip(launches, [0.05, 0.09, 0.18, 0.35, 0.52, 1]).map { .init($0, $1) }),
            .init("this host", [.init(6.4, 0.71)], isLine: false),
        ]
        chart.references = [.init("clairvoyant at 8 launches", at: 0.914), .init("goal", at: 0.7)]
        return chart
    }

    @Test func `a chart is a document that a strict parser reads, with every series`() throws {
        let picture = try Picture(Self.backtest().svg)
        #expect(picture.all("polyline").count == 2)
        #expect(picture.texts.contains("Lull"))
        #expect(picture.texts.contains("fixed interval"))
        #expect(picture.texts.contains("clairvoyant at 8 launches (91.4 %)"))
        for tick in ["0 %", "100 %", "0", "24"] { #expect(picture.texts.contains(tick), "\(picture.texts)") }
        let dashed = picture.all("line").filter { $0.attributes["stroke-dasharray"] != nil }
        #expect(dashed.count == 4)
        #expect(picture.all("desc").first?.text.contains("Lull: from 21 % at 1 to 95 % at 24.") == true)
    }

    @Test(arguments: [(320.0, 300.0), (800, 500), (1600, 900)])
    func `nothing lies outside or over another at any size`(width: Double, height: Double) throws {
        var chart = Self.backtest()
        chart.width = width
        chart.height = height
        let picture = try Picture(chart.svg)
        try picture.expectNothingOutside()
        picture.expectNoTextOverText()
    }

    @Test func `the higher value lies higher`() throws {
        let lines = try Picture(Self.backtest().svg).all("polyline").compactMap { $0.attributes["points"] }
        let heights = lines.map {
            $0.split(separator: " ").compactMap { Double($0.split(separator: ",")[1]) }
        }
        #expect(heights[0] == heights[0].sorted(by: >))
        #expect(heights[0][3] < heights[1][3])
    }

    @Test func `data beyond the shown range widens it`() throws {
        var chart = Self.backtest()
        chart.series[0].points = [.init(-30, -1), .init(90, 3.2)]
        try Picture(chart.svg).expectNothingOutside()
    }

    @Test func `without data and with nonsense there is an empty chart`() throws {
        var chart = LineChart(title: "", x: Axis("x"), y: Axis("y", format: .percent))
        try Picture(chart.svg).expectNothingOutside()
        chart.series = [.init("nonsense", [.init(.nan, 1), .init(1, .infinity)])]
        chart.references = [.init("nowhere", at: .nan)]
        let picture = try Picture(chart.svg)
        try picture.expectNothingOutside()
        #expect(picture.all("polyline").isEmpty)
    }

    @Test func `many long names take as many lines as they need`() throws {
        var chart = Self.backtest()
        for index in 0..<12 {
            chart.series.append(
                .init(
                    "a series with a name that is rather long, number \(index)",
                    [.init(1, 0.5), .init(2, 0.6)])
            )
        }
        chart.height = 800
        let picture = try Picture(chart.svg)
        try picture.expectNothingOutside()
        picture.expectNoTextOverText()
    }
}

struct TicksTests {
    @Test(arguments: [
        (0.0, 1.0, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]), (0, 24, 6, [0, 5, 10, 15, 20, 25]),
        (0, 24, 12, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24]), (3, 3, 2, [2, 4, 6]),
        (-0.3, 0.9, 3, [-0.5, 0, 0.5, 1]),
    ])
    func `ticks are round and hold the range`(low: Double, high: Double, count: Int, expected: [Double]) {
        let values = Ticks(from: low, to: high, count: count).values
        #expect(values.count == expected.count, "\(values)")
        for (value, wanted) in zip(values, expected) { #expect(abs(value - wanted) < 1e-9, "\(values)") }
    }

    @Test(arguments: [
        (0.0, "0"), (1, "1"), (0.5, "0.5"), (-0.25, "-0.25"), (1.999, "2"), (12.05, "12.05"), (.nan, "0"),
    ])
    func `numbers have no digits that say nothing`(value: Double, text: String) {
        #expect(Number.text(value) == text)
    }
}
