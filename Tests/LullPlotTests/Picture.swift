import Foundation
import FoundationXML
import Testing

@testable import LullPlot

/// An SVG document, read by a parser that forgives nothing.
final class Picture: NSObject, XMLParserDelegate {
    struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""

        func number(_ name: String) -> Double { attributes[name].flatMap(Double.init) ?? 0 }
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    init(_ svg: String) throws {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in\n\(svg)")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if let last = open.last { elements[last].text += string }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    var texts: [String] { all("text").map(\.text) }

    /// The corners of what an element covers; text as wide as its letters are reckoned.
    private func extent(of element: Element) -> [(x: Double, y: Double)] {
        switch element.name {
        case "rect":
            let (x, y) = (element.number("x"), element.number("y"))
            return [(x, y), (x + element.number("width"), y + element.number("height"))]
        case "circle":
            let (x, y, r) = (element.number("cx"), element.number("cy"), element.number("r"))
            return [(x - r, y - r), (x + r, y + r)]
        case "line":
            return [
                (element.number("x1"), element.number("y1")), (element.number("x2"), element.number("y2")),
            ]
        case "polyline", "polygon":
            return (element.attributes["points"] ?? "").split(separator: " ").map { pair in
                let parts = pair.split(separator: ",").compactMap { Double($0) }
                return (parts[0], parts[1])
            }
        case "text": return extent(ofText: element)
        default: return []
        }
    }

    private func extent(ofText element: Element) -> [(x: Double, y: Double)] {
        let size = element.number("font-size")
        let length = Lettering.width(element.text, size: size)
        let before: Double =
            switch element.attributes["text-anchor"] {
            case "middle": length / 2
            case "end": length
            default: 0
            }
        let (x, y) = (element.number("x"), element.number("y"))
        if element.attributes["transform"] != nil {
            return [(x - size, y + before), (x, y + before - length)]
        }
        return [(x - before, y - size), (x - before + length, y)]
    }

    /// Everything that is drawn lies within the view box.
    func expectNothingOutside(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let box = try #require(all("svg").first?.attributes["viewBox"]).split(separator: " ")
            .compactMap { Double($0) }
        for element in elements {
            for corner in extent(of: element) {
                #expect(
                    corner.x >= 0 && corner.x <= box[2] && corner.y >= 0 && corner.y <= box[3],
                    "\(element) reaches \(corner)", sourceLocation: sourceLocation)
            }
        }
    }

    /// No two texts cover one another.
    func expectNoTextOverText(sourceLocation: SourceLocation = #_sourceLocation) {
        let boxes = all("text").map { ($0.text, extent(ofText: $0)) }
        for (index, one) in boxes.enumerated() {
            for other in boxes[(index + 1)...] {
                let (a, b) = (one.1, other.1)
                let isApart =
                    max(a[0].x, a[1].x) <= min(b[0].x, b[1].x) || max(b[0].x, b[1].x) <= min(a[0].x, a[1].x)
                    || max(a[0].y, a[1].y) <= min(b[0].y, b[1].y)
                    || max(b[0].y, b[1].y) <= min(a[0].y, a[1].y)
                #expect(isApart, "'\(one.0)' lies over '\(other.0)'", sourceLocation: sourceLocation)
            }
        }
    }
}
