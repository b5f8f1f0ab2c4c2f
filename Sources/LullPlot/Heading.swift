/// The title of a chart and the sentence below it, wrapped to its width.
struct Heading {
    private let title: [String]
    private let subtitle: [String]
    private static let titleSize = 17.0
    private static let subtitleSize = 12.0

    init(_ title: String, _ subtitle: String, width: Double) {
        self.title = Lettering.wrapped(title, size: Self.titleSize, width: width)
        self.subtitle = Lettering.wrapped(subtitle, size: Self.subtitleSize, width: width)
    }

    var height: Double { Double(title.count) * 23 + Double(subtitle.count) * 17 + 10 }

    func draw(on drawing: inout Drawing, x: Double, y: Double) {
        var y = y
        for line in title {
            drawing.text(line, at: .init(x, y + 17), .init(size: Self.titleSize, isBold: true))
            y += 23
        }
        for line in subtitle {
            drawing.text(
                line, at: .init(x, y + 12), .init(size: Self.subtitleSize, colour: .softInk))
            y += 17
        }
    }
}
