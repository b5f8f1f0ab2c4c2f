/// Values in rows and columns as darker and lighter cells, with marks upon them.
///
/// The ramp has one hue, so that it reads in grey and without colour vision; the legend says what its ends mean.
/// Marks lie where they belong between the columns' edges: column 8.5 is the middle of the ninth column.
public struct HeatMap: Sendable {
    /// A sign at a place in a row.
    public struct Mark: Sendable {
        public enum Sign: Sendable, Hashable, CaseIterable {
            /// A filled triangle.
            case planned
            /// A hollow circle.
            case past
        }
        public var sign: Sign
        public var row: Int
        /// 0...columns.
        public var column: Double
        public var tip: String
        public init(_ sign: Sign, row: Int, column: Double, tip: String) {
            self.sign = sign
            self.row = row
            self.column = column
            self.tip = tip
        }
    }

    public var title: String
    /// A sentence below the title; empty: none.
    public var subtitle: String
    public var rows: [String]
    /// The label at each column's left edge, and one for the right end of the last; empty texts are left out.
    public var edges: [String]
    /// What the columns are.
    public var columnLabel: String
    /// One row of values for each of `rows`; what is not finite counts as 0.
    public var values: [[Double]]
    /// What the darkest colour means, such as "0.82 uses an hour".
    public var most: String
    /// The value of the darkest colour; nil: the greatest there is.
    public var top: Double?
    public var marks: [Mark] = []
    /// The meaning of each sign that occurs.
    public var meanings: [Mark.Sign: String] = [:]
    /// A cell to outline, with what that means.
    public var outlined: (row: Int, column: Int, meaning: String)?
    /// What a screen reader says.
    public var spoken = ""
    public var width = 860.0

    public init(
        title: String, subtitle: String = "", rows: [String], edges: [String], columnLabel: String,
        values: [[Double]], most: String
    ) {
        self.title = title
        self.subtitle = subtitle
        self.rows = rows
        self.edges = edges
        self.columnLabel = columnLabel
        self.values = values
        self.most = most
    }

    /// The map as a standalone SVG document.
    public var svg: String { drawing.svg }

    private static let margin = 20.0
    private static let labelSize = 12.0
    private static let rowHeight = 34.0
    private static let ramp = Ramp.darkening

    private var columns: Int { max(1, values.map(\.count).max() ?? 1) }

    var drawing: Drawing {
        let inner = width - 2 * Self.margin
        let heading = Heading(title, subtitle, width: inner)
        let legend = Legend(entries, width: inner)
        let labels = rows.map { Lettering.width($0, size: Self.labelSize) }.max() ?? 0
        let left = Self.margin + min(labels, inner / 3) + 10
        let top = Self.margin + heading.height + 4
        let bottom = top + Double(rows.count) * Self.rowHeight
        // Tick labels, the axis label, the ramp, the legend.
        let rampTop = bottom + 20 + 22 + 12
        let legendTop = rampTop + 24
        let height = legendTop + legend.height + Self.margin
        var drawing = Drawing(width: width, height: height, title: title, description: spoken)
        heading.draw(on: &drawing, x: Self.margin, y: Self.margin)
        let grid = Grid(
            left: left, top: top, cell: (width - Self.margin - 8 - left) / Double(columns),
            rowHeight: Self.rowHeight)
        drawCells(grid, on: &drawing)
        drawLabels(grid, bottom: bottom, on: &drawing)
        for mark in marks where rows.indices.contains(mark.row) && mark.column.isFinite {
            let column = min(max(mark.column, 0), Double(columns))
            // Signs of each kind have a height of their own, so that one does not hide the other.
            let place = grid.place(mark.row, column, height: mark.sign == .planned ? 0.28 : 0.72)
            mark.sign.draw(at: place, on: &drawing, tip: mark.tip)
        }
        drawRamp(x: Self.margin, y: rampTop, on: &drawing)
        legend.draw(on: &drawing, x: Self.margin, y: legendTop)
        return drawing
    }

    private struct Grid {
        let left: Double
        let top: Double
        let cell: Double
        let rowHeight: Double
        func place(_ row: Int, _ column: Double, height: Double = 0) -> Drawing.Point {
            .init(left + column * cell, top + (Double(row) + height) * rowHeight)
        }
    }

    private func drawCells(_ grid: Grid, on drawing: inout Drawing) {
        let greatest = top ?? values.joined().filter(\.isFinite).max() ?? 0
        for (row, cells) in values.enumerated() where row < rows.count {
            for (column, value) in cells.enumerated() {
                let share = greatest > 0 && value.isFinite ? value / greatest : 0
                let place = grid.place(row, Double(column))
                drawing.rectangle(
                    x: place.x, y: place.y, width: grid.cell, height: grid.rowHeight,
                    .init(fill: Self.ramp.colour(at: share), stroke: .paper),
                    tip: column < edges.count
                        ? "\(rows[row]) \(edges[column]): \(Number.text(value, decimals: 3))" : nil)
            }
        }
        guard let outlined, rows.indices.contains(outlined.row), (0..<columns).contains(outlined.column)
        else { return }
        let place = grid.place(outlined.row, Double(outlined.column))
        drawing.rectangle(
            x: place.x, y: place.y, width: grid.cell, height: grid.rowHeight,
            .init(stroke: .signal, strokeWidth: 2.5))
    }

    private func drawLabels(_ grid: Grid, bottom: Double, on drawing: inout Drawing) {
        let font = Drawing.Font(size: Self.labelSize)
        for (row, name) in rows.enumerated() {
            let name = Lettering.fitted(name, size: font.size, width: grid.left - Self.margin - 10)
            drawing.text(
                name, at: .init(grid.left - 10, grid.place(row, 0, height: 0.5).y + 4), font, anchor: .end)
        }
        let named = edges.enumerated().filter { $0.offset <= columns && !$0.element.isEmpty }
        let widest = named.map { Lettering.width($0.element, size: font.size) }.max() ?? 0
        // Every label, or every second, and so on: as many as find room.
        let every = (1...max(1, named.count)).first { stride in
            stride >= named.count || distance(in: named.map(\.offset), every: stride) * grid.cell > widest + 6
        }
        for (index, edge) in named.enumerated() {
            let x = grid.left + Double(edge.offset) * grid.cell
            drawing.line(from: .init(x, bottom), to: .init(x, bottom + 4), .init(stroke: .softInk))
            guard index % (every ?? 1) == 0 else { continue }
            let half = Lettering.width(edge.element, size: font.size) / 2
            drawing.text(
                Lettering.fitted(edge.element, size: font.size, width: width),
                at: .init(min(x, max(half, width - half - 2)), bottom + 18),
                .init(size: font.size, colour: .softInk), anchor: .middle)
        }
        drawing.text(
            columnLabel, at: .init(grid.left + grid.cell * Double(columns) / 2, bottom + 38), font,
            anchor: .middle)
    }

    /// The least between labels when each `stride`-th is shown.
    private func distance(in places: [Int], every stride: Int) -> Double {
        let shown = places.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
        return zip(shown, shown.dropFirst()).map { Double($1 - $0) }.min() ?? .infinity
    }

    private func drawRamp(x: Double, y: Double, on drawing: inout Drawing) {
        let steps = 24
        let length = 180.0
        let font = Drawing.Font(size: Self.labelSize)
        drawing.text("0", at: .init(x, y + 11), font)
        let left = x + 14
        for step in 0..<steps {
            drawing.rectangle(
                x: left + Double(step) * length / Double(steps), y: y,
                width: length / Double(steps) + (step < steps - 1 ? 1 : 0),
                height: 14, .init(fill: Self.ramp.colour(at: Double(step) / Double(steps - 1))))
        }
        drawing.rectangle(x: left, y: y, width: length, height: 14, .init(stroke: .rule))
        let room = width - Self.margin - left - length - 8
        drawing.text(
            Lettering.fitted(most, size: font.size, width: room), at: .init(left + length + 8, y + 11), font)
    }

    private var entries: [Legend.Entry] {
        let signs = Mark.Sign.allCases.filter { sign in marks.contains { $0.sign == sign } }
        var entries = signs.compactMap { sign in
            meanings[sign].map { Legend.Entry(sign: .mark(sign), name: $0) }
        }
        if let outlined { entries.append(.init(sign: .outline, name: outlined.meaning)) }
        return entries
    }
}

extension HeatMap.Mark.Sign {
    func draw(at centre: Drawing.Point, on drawing: inout Drawing, tip: String? = nil) {
        switch self {
        case .planned:
            let shape = [(-6.0, -5.0), (6.0, -5.0), (0.0, 6.0)].map {
                Drawing.Point(centre.x + $0.0, centre.y + $0.1)
            }
            drawing.path(
                shape, isClosed: true, .init(fill: .signal, stroke: .paper, strokeWidth: 1.5), tip: tip)
        case .past:
            drawing.circle(centre, radius: 5.5, .init(fill: .paper))
            drawing.circle(centre, radius: 4, .init(fill: .paper, stroke: .ink, strokeWidth: 1.8), tip: tip)
        }
    }
}
