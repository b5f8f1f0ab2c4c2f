/// A picture as it grows: shapes and text in, one standalone SVG document out.
///
/// It is written for readers of all kinds: a title and a description for those who hear it, generic font families
/// so that it looks alike everywhere, no scripts, no outside resources. Text is escaped, and what XML can't hold
/// is replaced; coordinates have at most two decimals.
public struct Drawing: Sendable {
    public let width: Double
    public let height: Double
    let title: String
    let description: String
    private var body = ""

    /// How a shape is filled and outlined.
    public struct Paint: Sendable {
        public var fill: Colour?
        public var stroke: Colour?
        public var strokeWidth: Double
        /// Lengths of dashes and gaps; empty: a solid line.
        public var dash: [Double]
        public var opacity: Double

        public init(
            fill: Colour? = nil, stroke: Colour? = nil, strokeWidth: Double = 1, dash: [Double] = [],
            opacity: Double = 1
        ) {
            self.fill = fill
            self.stroke = stroke
            self.strokeWidth = strokeWidth
            self.dash = dash
            self.opacity = opacity
        }
    }

    public struct Point: Sendable, Equatable {
        public var x: Double
        public var y: Double
        public init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// Which of its points the text is placed by.
    public enum Anchor: String, Sendable {
        case start
        case middle
        case end
    }

    public struct Font: Sendable {
        public var size: Double
        public var isBold: Bool
        public var colour: Colour
        public init(size: Double = 12, isBold: Bool = false, colour: Colour = .ink) {
            self.size = size
            self.isBold = isBold
            self.colour = colour
        }
    }

    public init(width: Double, height: Double, title: String, description: String) {
        self.width = width
        self.height = height
        self.title = title
        self.description = description
    }

    public mutating func rectangle(
        x: Double, y: Double, width: Double, height: Double, _ paint: Paint, tip: String? = nil
    ) {
        element(
            "rect", [("x", x), ("y", y), ("width", width), ("height", height)].map(attribute).joined(), paint,
            tip)
    }

    public mutating func circle(_ centre: Point, radius: Double, _ paint: Paint, tip: String? = nil) {
        element(
            "circle", [("cx", centre.x), ("cy", centre.y), ("r", radius)].map(attribute).joined(), paint, tip)
    }

    public mutating func line(from: Point, to: Point, _ paint: Paint) {
        element(
            "line", [("x1", from.x), ("y1", from.y), ("x2", to.x), ("y2", to.y)].map(attribute).joined(),
            paint, nil)
    }

    /// An open line through the points, or a closed shape.
    public mutating func path(
        _ points: [Point], isClosed: Bool = false, _ paint: Paint, tip: String? = nil
    ) {
        guard points.count > 1 else { return }
        let places = points.map { Number.text($0.x) + "," + Number.text($0.y) }.joined(separator: " ")
        element(isClosed ? "polygon" : "polyline", " points=\"\(places)\"", paint, tip)
    }

    /// One line of text, its baseline at `place`; turned, it is read from below.
    public mutating func text(
        _ text: String, at place: Point, _ font: Font = Font(), anchor: Anchor = .start,
        isTurned: Bool = false
    ) {
        var attributes = attribute(("x", place.x)) + attribute(("y", place.y))
        attributes += attribute(("font-size", font.size)) + " fill=\"\(font.colour.hex)\""
        if anchor != .start { attributes += " text-anchor=\"\(anchor.rawValue)\"" }
        if font.isBold { attributes += " font-weight=\"bold\"" }
        if isTurned {
            attributes += " transform=\"rotate(-90 \(Number.text(place.x)) \(Number.text(place.y)))\""
        }
        body += "  <text\(attributes)>\(Self.escaped(text))</text>\n"
    }

    /// The whole document.
    public var svg: String {
        let (width, height) = (Number.text(width), Number.text(height))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title description" \
            font-family="sans-serif">
              <title id="title">\(Self.escaped(title))</title>
              <desc id="description">\(Self.escaped(description))</desc>
              <rect x="0" y="0" width="\(width)" height="\(height)" fill="\(Colour.paper.hex)"/>
            \(body)</svg>

            """
    }

    private mutating func element(_ name: String, _ attributes: String, _ paint: Paint, _ tip: String?) {
        var line = "  <" + name + attributes
        line += " fill=\"\(paint.fill?.hex ?? "none")\""
        if let stroke = paint.stroke {
            line += " stroke=\"\(stroke.hex)\"" + attribute(("stroke-width", paint.strokeWidth))
            if name.hasPrefix("poly") { line += " stroke-linejoin=\"round\"" }
            if !paint.dash.isEmpty {
                line +=
                    " stroke-dasharray=\"" + paint.dash.map { Number.text($0) }.joined(separator: " ")
                    + "\""
            }
        }
        if paint.opacity < 1 { line += attribute(("opacity", paint.opacity)) }
        body += line + (tip.map { "><title>\(Self.escaped($0))</title></\(name)>\n" } ?? "/>\n")
    }

    private func attribute(_ pair: (name: String, value: Double)) -> String {
        " \(pair.name)=\"\(Number.text(pair.value))\""
    }

    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\t", "\n", "\r": out += " "
            // XML 1.0 has no way to write these.
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
