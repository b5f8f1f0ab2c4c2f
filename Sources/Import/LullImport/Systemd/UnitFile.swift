/// A unit of systemd with its drop-ins: `key=value` lines in sections, each with its place.
public struct UnitFile: Sendable {
    /// As systemd names it: `backup.timer`.
    public var name: String
    /// The path that notes about its lines give.
    public var path: String
    /// Whether it belongs to a user's manager, whose services run as that user.
    public var isOfUser: Bool
    var lines: [Line] = []
    /// Lines that are neither a section, nor a key, nor a comment.
    var broken: [(path: String, line: Int)] = []

    struct Line: Sendable {
        var section: String
        var key: String
        var value: String
        var path: String
        var number: Int
    }

    /// Larger than any unit.
    public static let limit = 1 << 20

    public init(name: String, path: String, bytes: [UInt8], isOfUser: Bool = false) {
        self.name = name
        self.path = path
        self.isOfUser = isOfUser
        append(bytes, from: path)
    }

    /// A drop-in: its lines come after those that are there.
    public mutating func append(_ bytes: [UInt8], from path: String) {
        var section = ""
        // A line goes on only if it ends with a backslash.
        var begun: (text: String, number: Int)?
        for (index, raw) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let text = String(Self.trimmed(String(decoding: raw, as: UTF8.self)[...]))
            if text.first == "#" || text.first == ";" { continue }
            var line = (text: (begun?.text ?? "") + text, number: begun?.number ?? index + 1)
            begun = nil
            if line.text.last == "\\" {
                line.text.removeLast()
                line.text += " "
                begun = line
                continue
            }
            read(line.text, line.number, path, &section)
        }
        if let begun { read(begun.text, begun.number, path, &section) }
    }

    private mutating func read(_ text: String, _ number: Int, _ path: String, _ section: inout String) {
        if text.isEmpty { return }
        if text.first == "[", text.last == "]" {
            section = String(text.dropFirst().dropLast())
        } else if let equals = text.firstIndex(of: "="), !section.isEmpty, equals > text.startIndex {
            lines.append(
                Line(
                    section: section, key: String(Self.trimmed(text[..<equals])),
                    value: String(Self.trimmed(text[text.index(after: equals)...])), path: path,
                    number: number))
        } else {
            broken.append((path, number))
        }
    }

    /// The values of a key that may come more than once; an empty one takes back what is above it.
    func all(_ key: String, in section: String) -> [Line] {
        var found: [Line] = []
        for line in lines where line.section == section && line.key == key {
            if line.value.isEmpty { found = [] } else { found.append(line) }
        }
        return found
    }

    /// The last value of a key; nil where that is empty.
    func last(_ key: String, in section: String) -> Line? {
        lines.last { $0.section == section && $0.key == key }.flatMap { $0.value.isEmpty ? nil : $0 }
    }

    func isTrue(_ key: String, in section: String) -> Bool {
        guard let value = last(key, in: section)?.value.lowercased() else { return false }
        return ["1", "yes", "y", "true", "t", "on"].contains(value)
    }

    /// The unit of that name among several; `backup@home.service` is an instance of `backup@.service`.
    public static func named(_ name: String, among units: [UnitFile]) -> UnitFile? {
        if let unit = units.first(where: { $0.name == name }) { return unit }
        guard let template = template(of: name) else { return nil }
        var unit = units.first { $0.name == template }
        unit?.name = name
        return unit
    }

    /// `backup@.service`, of `backup@home.service`.
    public static func template(of name: String) -> String? {
        guard let at = name.firstIndex(of: "@"), let dot = name.lastIndex(of: "."),
            name.index(after: at) < dot
        else { return nil }
        return String(name[...at] + name[dot...])
    }

    /// The units that it wants or requires.
    public var wants: [String] {
        ["Wants", "Requires", "Upholds", "BindsTo"].flatMap { all($0, in: "Unit") }
            .flatMap { $0.value.split(separator: " ").map(String.init) }
    }

    /// Its name without `.timer`.
    var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }

    private static func trimmed(_ text: Substring) -> Substring {
        func isSpace(_ character: Character) -> Bool { " \t\r".contains(character) }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}
