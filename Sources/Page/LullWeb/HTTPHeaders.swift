import Foundation

/// The headers on which the handling of a request depends; all others are discarded.
struct HTTPHeaders {
    enum Name: String, CaseIterable {
        case host, origin, authorization, connection
        case site = "sec-fetch-site"
        case contentLength = "content-length"
        case transferEncoding = "transfer-encoding"
        case contentType = "content-type"
        case acceptEncoding = "accept-encoding"
        case signature = "x-hub-signature-256"
    }

    private var values: [Name: String] = [:]
    /// The value of the header `userHeader`.
    private(set) var user: String?
    private let userHeader: String?

    init(
        _ bytes: [UInt8], lines: some Sequence<Range<Int>>, userHeader: String? = nil
    ) throws(HTTPRefusal) {
        self.userHeader = userHeader
        for line in lines { try add(bytes[line]) }
    }

    subscript(_ name: Name) -> String? { values[name] }

    private mutating func add(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(HTTPHead.isToken)
        else { throw .malformed("a header is not a name, a colon and a value") }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
            throw .malformed("a header holds a control character")
        }
        let text = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let meant = String(decoding: value, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        if text == userHeader {
            guard user == nil else { throw .malformed("it has the header \(text) twice") }
            user = meant
        }
        guard let name = Name(rawValue: text) else { return }
        guard let earlier = values[name] else {
            values[name] = meant
            return
        }
        // Nobody can tell which of two values a proxy in front of the page has used.
        guard name == .connection else { throw .malformed("it has the header \(text) twice") }
        values[name] = earlier + "," + meant
    }
}
