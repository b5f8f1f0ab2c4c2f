import Testing

@testable import LullPlot

struct HeatMapTests {
    static func week() -> HeatMap {
        var values = [[Double]](repeating: [Double](repeating: 0.01, count: 24), count: 7)
        for day in 0..<5 {
            values[day][8] = 0.82
            values[day][9] = 0.4
            values[day][18] = 0.3
        }
        var map = HeatMap(
            title: "When com.example.ColorFeed is used",
            subtitle: "41 uses since 24 October, seen on Saturday 21 November at 09:14, in local time",
            rows: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
            edges: (0...24).map { $0 % 3 == 0 ? "\($0)" : "" }, columnLabel: "hour of the day",
            values: values, most: "0.82 uses an hour")
        map.marks = [
            .init(.planned, row: 0, column: 8.25, tip: "planned for Monday 08:15"),
            .init(.past, row: 4, column: 8, tip: "launched on Friday 08:00"),
            .init(.past, row: 6, column: 24, tip: "launched at the end of Sunday"),
        ]
        map.meanings = [.planned: "planned refresh", .past: "refresh of the last 7 days"]
        map.outlined = (row: 5, column: 9, meaning: "this hour")
        map.spoken = "Most uses are expected on weekdays from 08:00 to 09:00."
        return map
    }

    @Test func `a week is a document that a strict parser reads, with a cell for each hour`() throws {
        let picture = try Picture(Self.week().svg)
        let cells = picture.all("rect").filter {
            $0.number("height") == 34 && $0.attributes["fill"] != "none"
        }
        #expect(cells.count == 168)
        #expect(picture.all("title").first?.text == "When com.example.ColorFeed is used")
        #expect(picture.all("desc").first?.text.contains("weekdays") == true)
        #expect(picture.texts.contains("0.82 uses an hour"))
        #expect(picture.texts.contains("planned refresh"))
        // One in the map and one in the legend.
        #expect(picture.all("polygon").count == 2)
    }

    @Test func `the busiest hours are the darkest and hours alike look alike`() throws {
        let cells = try Picture(Self.week().svg).all("rect").filter {
            $0.number("height") == 34 && $0.attributes["fill"] != "none"
        }
        let fills = cells.compactMap { $0.attributes["fill"] }
        #expect(fills[8] == Ramp.darkening.colour(at: 1).hex)
        #expect(fills[8] == fills[24 + 8])
        #expect(fills[9] == Ramp.darkening.colour(at: 0.4 / 0.82).hex)
        #expect(fills[6 * 24 + 8] == Ramp.darkening.colour(at: 0.01 / 0.82).hex)
    }

    @Test(arguments: [300.0, 400, 860, 1600])
    func `nothing lies outside or over another at any width`(width: Double) throws {
        var map = Self.week()
        map.width = width
        let picture = try Picture(map.svg)
        try picture.expectNothingOutside()
        picture.expectNoTextOverText()
    }

    @Test func `an empty forecast is drawn pale and evenly`() throws {
        var map = Self.week()
        map.values = map.values.map { $0.map { _ in 0 } }
        map.marks = []
        map.outlined = nil
        let picture = try Picture(map.svg)
        let cells = picture.all("rect").filter { $0.number("height") == 34 }
        #expect(Set(cells.compactMap { $0.attributes["fill"] }) == [Ramp.darkening.colour(at: 0).hex])
        try picture.expectNothingOutside()
    }

    @Test func `what no number can be is left out and hostile names are only text`() throws {
        var map = Self.week()
        map.title = "<script>alert(\"1\")</script> & \u{1} ]]>"
        map.values[0][0] = .nan
        map.values[0][1] = .infinity
        map.marks.append(.init(.planned, row: 9, column: 3, tip: ""))
        map.marks.append(.init(.planned, row: 1, column: .nan, tip: ""))
        map.rows[0] = String(repeating: "very long name ", count: 40)
        let picture = try Picture(map.svg)
        #expect(picture.all("script").isEmpty)
        #expect(picture.all("title").first?.text.hasPrefix("<script>alert(\"1\")</script> & ") == true)
        try picture.expectNothingOutside()
        picture.expectNoTextOverText()
    }
}

struct RampTests {
    @Test(arguments: [(Ramp.darkening, -1.0), (Ramp.brightening, 1.0)])
    func `each step of a ramp is darker or brighter than the one before`(ramp: Ramp, sign: Double) {
        let steps = (0...40).map { ramp.colour(at: Double($0) / 40).luminance * sign }
        for (one, next) in zip(steps, steps.dropFirst()) { #expect(one < next) }
    }

    @Test func `a share beyond the ends is an end`() {
        #expect(Ramp.darkening.colour(at: -3) == Ramp.darkening.colour(at: 0))
        #expect(Ramp.darkening.colour(at: 7) == Ramp.darkening.colour(at: 1))
        #expect(Ramp.darkening.colour(at: .nan) == Ramp.darkening.colour(at: 0))
    }
}
