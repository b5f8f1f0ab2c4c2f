/// Several series over one axis, with reference lines to hold them against.
///
///     var chart = LineChart(
///         title: "Fresh at use", x: Axis("launches a day", showing: 0...24),
///         y: Axis("fresh when used", format: .percent, showing: 0...1))
///     chart.series = [.init("Lull", [.init(4, 0.61), .init(8, 0.82)]), .init("fixed interval", …)]
///     chart.references = [.init("clairvoyant", at: 0.97)]
///     try chart.svg.write(…)
///
/// Values are as they are: for an axis in per cent 0.82 is written as "82 %". The axes end on round values and
/// hold all data; what is not finite is left out. Series differ in colour and in the shape of their marks,
/// references in their dashes.
public struct LineChart: Sendable {
    public struct Series: Sendable {
        public var name: String
        /// In the order in which they are joined.
        public var points: [Drawing.Point]
        /// Whether the points are joined by a line.
        public var isLine: Bool
        public init(_ name: String, _ points: [Drawing.Point], isLine: Bool = true) {
            self.name = name
            self.points = points
            self.isLine = isLine
        }
    }

    /// A dashed line at one height.
    public struct Reference: Sendable {
        public var name: String
        public var y: Double
        public init(_ name: String, at y: Double) {
            self.name = name
            self.y = y
        }
    }

    public var title: String
    /// A sentence below the title; empty: none.
    public var subtitle: String
    public var x: Axis
    public var y: Axis
    public var series: [Series] = []
    public var references: [Reference] = []
    public var width = 800.0
    public var height = 500.0

    public init(title: String, subtitle: String = "", x: Axis, y: Axis) {
        self.title = title
        self.subtitle = subtitle
        self.x = x
        self.y = y
    }

    /// The chart as a standalone SVG document.
    public var svg: String { drawing.svg }

    private static let margin = 20.0
    private static let labelSize = 12.0
    /// More marks than this on a line hide it.
    private static let markedPoints = 60

    var drawing: Drawing {
        var drawing = Drawing(width: width, height: height, title: title, description: spoken)
        let inner = width - 2 * Self.margin
        let heading = Heading(title, subtitle, width: inner)
        heading.draw(on: &drawing, x: Self.margin, y: Self.margin)
        let legend = Legend(entries, width: inner)
        legend.draw(on: &drawing, x: Self.margin, y: height - Self.margin - legend.height)
        let frame = Frame(
            chart: self, top: Self.margin + heading.height,
            bottom: height - Self.margin - legend.height - (entries.isEmpty ? 0 : 8))
        frame.draw(on: &drawing)
        for (index, reference) in references.enumerated() where reference.y.isFinite {
            let y = frame.place(0, reference.y).y
            drawing.line(
                from: .init(frame.left, y), to: .init(frame.right, y), Pen(reference: index).stroke)
        }
        for (index, series) in series.enumerated() { draw(series, Pen(series: index), frame, on: &drawing) }
        return drawing
    }

    private func draw(_ series: Series, _ pen: Pen, _ frame: Frame, on drawing: inout Drawing) {
        let points = series.points.filter(\.isFinite)
        let places = points.map { frame.place($0.x, $0.y) }
        if series.isLine { drawing.path(places, pen.stroke) }
        guard !series.isLine || points.count <= Self.markedPoints else { return }
        for (point, place) in zip(points, places) {
            pen.mark(place, on: &drawing, tip: "\(series.name): \(x.text(point.x)), \(y.text(point.y))")
        }
    }

    private var entries: [Legend.Entry] {
        series.enumerated().map { .init(sign: .series($0, isLine: $1.isLine), name: $1.name) }
            + references.enumerated().map {
                .init(sign: .reference($0), name: "\($1.name) (\(y.text(($1.y * 1e4).rounded() / 1e4)))")
            }
    }

    /// What is drawn, for those who hear it.
    private var spoken: String {
        var parts = ["A line chart of \(y.label) over \(x.label)."]
        for series in series {
            let points = series.points.filter(\.isFinite)
            guard let first = points.first, let last = points.last else { continue }
            parts.append(
                "\(series.name): from \(y.text(first.y)) at \(x.text(first.x)) to \(y.text(last.y)) at \(x.text(last.x))."
            )
        }
        parts += references.map { "For reference, \($0.name): \(y.text($0.y))." }
        return parts.joined(separator: " ")
    }

    /// Where the data is drawn, with the axes around it.
    private struct Frame {
        let x: Axis
        let y: Axis
        let left: Double
        let right: Double
        let top: Double
        let bottom: Double
        let xTicks: Ticks
        let yTicks: Ticks
        private let foot: Double

        init(chart: LineChart, top: Double, bottom: Double) {
            x = chart.x
            y = chart.y
            let points = chart.series.flatMap(\.points).filter(\.isFinite)
            yTicks = y.ticks(
                for: points.map(\.y) + chart.references.map(\.y), count: max(2, Int((bottom - top) / 60)))
            let size = LineChart.labelSize
            let widest = yTicks.values.map { Lettering.width(chart.y.text($0), size: size) }.max() ?? 0
            left = LineChart.margin + 20 + widest + 8
            // Half of the last label stands beyond its tick.
            right = chart.width - LineChart.margin - 24
            let xs = points.map(\.x)
            var ticks = x.ticks(for: xs, count: 2)
            for count in 3...12 {
                let finer = x.ticks(for: xs, count: count)
                let needed = finer.values.reduce(0) {
                    $0 + Lettering.width(chart.x.text($1), size: size) + 16
                }
                guard needed <= right - left else { break }
                ticks = finer
            }
            xTicks = ticks
            foot = bottom
            self.top = top + 6
            self.bottom = bottom - 44
        }

        func place(_ x: Double, _ y: Double) -> Drawing.Point {
            .init(left + xTicks.share(of: x) * (right - left), bottom - yTicks.share(of: y) * (bottom - top))
        }

        func draw(on drawing: inout Drawing) {
            let grid = Drawing.Paint(stroke: .rule)
            let font = Drawing.Font(size: LineChart.labelSize, colour: .softInk)
            for tick in yTicks.values {
                let at = place(xTicks.first, tick).y
                drawing.line(from: .init(left, at), to: .init(right, at), grid)
                drawing.text(y.text(tick), at: .init(left - 8, at + 4), font, anchor: .end)
            }
            for tick in xTicks.values {
                let at = place(tick, yTicks.first).x
                drawing.line(from: .init(at, bottom), to: .init(at, bottom + 5), .init(stroke: .softInk))
                drawing.text(x.text(tick), at: .init(at, bottom + 19), font, anchor: .middle)
            }
            drawing.line(from: .init(left, bottom), to: .init(right, bottom), .init(stroke: .softInk))
            let label = Drawing.Font(size: LineChart.labelSize)
            drawing.text(
                Lettering.fitted(x.label, size: label.size, width: right - left),
                at: .init((left + right) / 2, foot - 6), label, anchor: .middle)
            drawing.text(
                Lettering.fitted(y.label, size: label.size, width: bottom - top),
                at: .init(LineChart.margin + 10, (top + bottom) / 2), label, anchor: .middle, isTurned: true)
        }
    }
}

extension Drawing.Point {
    var isFinite: Bool { x.isFinite && y.isFinite }
}
