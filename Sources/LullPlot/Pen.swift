/// How one series of a chart is told from the others: by colour, and by the shape of its marks for those who print
/// in grey or see few colours.
struct Pen {
    let stroke: Drawing.Paint
    private let shape: Int
    private let colour: Colour

    private static let colours = [
        Colour(0, 84, 159), Colour(200, 80, 0), Colour(0, 122, 94), Colour(138, 43, 126),
        Colour(110, 110, 110),
        Colour(168, 130, 0),
    ]
    private static let dashes: [[Double]] = [[7, 4], [2, 3], [10, 3, 2, 3], [14, 4]]

    init(series index: Int) {
        colour = Self.colours[index % Self.colours.count]
        shape = index
        stroke = .init(stroke: colour, strokeWidth: 2)
    }

    /// Of a line that data is held against.
    init(reference index: Int) {
        colour = .softInk
        shape = 0
        stroke = .init(stroke: colour, strokeWidth: 1.5, dash: Self.dashes[index % Self.dashes.count])
    }

    static let markRadius = 4.5

    func mark(_ centre: Drawing.Point, on drawing: inout Drawing, tip: String? = nil) {
        let r = Self.markRadius
        let paint = Drawing.Paint(fill: colour, stroke: .paper, strokeWidth: 1)
        func shape(_ offsets: [(Double, Double)]) -> [Drawing.Point] {
            offsets.map { .init(centre.x + $0.0, centre.y + $0.1) }
        }
        switch self.shape % 4 {
        case 0: drawing.circle(centre, radius: r, paint, tip: tip)
        case 1:
            drawing.rectangle(
                x: centre.x - r + 0.5, y: centre.y - r + 0.5, width: 2 * r - 1, height: 2 * r - 1, paint,
                tip: tip)
        case 2:
            drawing.path(shape([(0, -r), (r, r * 0.8), (-r, r * 0.8)]), isClosed: true, paint, tip: tip)
        default:
            drawing.path(shape([(0, -r), (r, 0), (0, r), (-r, 0)]), isClosed: true, paint, tip: tip)
        }
    }
}
