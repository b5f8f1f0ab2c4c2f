/// What the signs of a chart mean, in as many lines as the width needs.
struct Legend {
    enum Sign {
        case series(Int, isLine: Bool)
        case reference(Int)
        case mark(HeatMap.Mark.Sign)
        case outline
    }

    struct Entry {
        let sign: Sign
        let name: String
    }

    private static let size = 12.0
    private static let signWidth = 30.0
    private static let gap = 22.0
    static let lineHeight = 20.0

    private var lines: [[(entry: Entry, x: Double)]] = []

    init(_ entries: [Entry], width: Double) {
        var line: [(entry: Entry, x: Double)] = []
        var x = 0.0
        for entry in entries {
            let name = Lettering.fitted(entry.name, size: Self.size, width: width - Self.signWidth)
            let needed = Self.signWidth + Lettering.width(name, size: Self.size)
            if x > 0, x + needed > width {
                lines.append(line)
                line = []
                x = 0
            }
            line.append((Entry(sign: entry.sign, name: name), x))
            x += needed + Self.gap
        }
        if !line.isEmpty { lines.append(line) }
    }

    var height: Double { Double(lines.count) * Self.lineHeight }

    func draw(on drawing: inout Drawing, x: Double, y: Double) {
        for (index, line) in lines.enumerated() {
            let middle = y + (Double(index) + 0.5) * Self.lineHeight
            for (entry, offset) in line {
                draw(entry.sign, on: &drawing, x: x + offset, y: middle)
                drawing.text(
                    entry.name, at: .init(x + offset + Self.signWidth, middle + 4),
                    .init(size: Self.size))
            }
        }
    }

    private func draw(_ sign: Sign, on drawing: inout Drawing, x: Double, y: Double) {
        let centre = Drawing.Point(x + 11, y)
        switch sign {
        case .series(let index, let isLine):
            let pen = Pen(series: index)
            if isLine { drawing.line(from: .init(x, y), to: .init(x + 22, y), pen.stroke) }
            pen.mark(centre, on: &drawing)
        case .reference(let index):
            drawing.line(from: .init(x, y), to: .init(x + 22, y), Pen(reference: index).stroke)
        case .mark(let mark):
            mark.draw(at: centre, on: &drawing)
        case .outline:
            drawing.rectangle(
                x: x + 4, y: y - 6, width: 14, height: 12, .init(stroke: .signal, strokeWidth: 2))
        }
    }
}
