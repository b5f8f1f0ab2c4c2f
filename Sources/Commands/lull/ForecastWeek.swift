import Foundation
import LullCommands
import LullModel

/// The hours of the week as lines of a terminal.
struct ForecastWeek {
    let report: ForecastReport

    private var rows: [[Double]] {
        (0..<7).map { day in
            (0..<24).map { hour in
                let place = day * 24 + hour
                return place < report.hours.count ? report.hours[place] : 0
            }
        }
    }

    /// The value of the strongest shade.
    ///
    /// An even week is pale, however high it is: strong shades are for hours that stand out, so the scale ends at four
    /// times the mean at least.
    private var top: Double {
        let sum = report.hours.reduce(0, +)
        return max(report.hours.max() ?? 0, 4 * sum / Double(max(1, report.hours.count)))
    }

    /// The cell of now; Monday is row 0.
    private var now: (row: Int, column: Int) {
        let local = report.zone.local(report.time)
        return (local.weekday, local.hour)
    }

    func text(width: Int, _ colours: ScreenColours) -> [String] {
        var map = TextHeatMap(
            rows: Phrase.weekdays.map { String($0.prefix(3)) },
            edges: Dictionary(uniqueKeysWithValues: stride(from: 0, to: 24, by: 3).map { ($0, "\($0)") }),
            values: rows, top: top, now: now)
        map.depth = colours.depth
        map.ramp = colours.isLight ? .darkening : .brightening
        let local = report.zone.local(report.time)
        let most = " \(ForecastWords.rate(top)) uses an hour"
        let scale = "none " + map.scale.text + most
        let pointers = "▸▾ now, \(Phrase.weekdays[local.weekday].prefix(3)) \(Phrase.clock(local))"
        let length = 5 + 5 + map.scale.width + most.count + 3 + pointers.count
        let legend = length <= width ? [scale + "   " + pointers] : [scale, pointers]
        return map.lines(width: width) + legend.map { "     " + $0 }
    }
}

/// The colours that the program's output can show.
struct ScreenColours {
    var depth: TextHeatMap.Depth
    /// Whether its background is known to be light.
    var isLight: Bool

    static let output = ScreenColours(
        .output, environment: ProcessInfo.processInfo.environment)

    init(_ terminal: Terminal, environment: [String: String]) {
        let direct = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
        let term = environment["TERM"] ?? ""
        depth =
            !terminal.hasColour
            ? .none : direct || term.contains("direct") ? .full : term.contains("256") ? .indexed : .none
        // "foreground;background", of the first sixteen colours.
        let background = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
        isLight = background == 7 || background == 15
    }
}
