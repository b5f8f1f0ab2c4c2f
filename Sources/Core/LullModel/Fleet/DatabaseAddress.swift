/// The address of a database in libpq's format: `key=value` pairs or a URI, parsed as libpq parses them.
///
/// Only for checks: its passwords, hosts and TLS settings decide whether a manifest may contain it. libpq gets the text
/// unchanged.
public struct DatabaseAddress: Sendable, Equatable {
    public enum Fault: Error, Sendable, Hashable {
        case empty
        /// A word without a following `=`.
        case noValue(String)
        case openQuote
    }

    /// In the order of the text; for a URI its parts too.
    public private(set) var parameters: [(key: String, value: String)]

    public init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        if let scheme = Self.schemes.first(where: { text.hasPrefix($0) }) {
            parameters = Self.ofURI(bytes[scheme.utf8.count...])
        } else {
            parameters = try Self.pairs(bytes)
        }
    }

    private static let schemes = ["postgresql://", "postgres://"]

    public static func == (a: Self, b: Self) -> Bool {
        a.parameters.elementsEqual(b.parameters) { $0 == $1 }
    }

    public subscript(key: String) -> String? { parameters.last { $0.key == key }?.value }

    /// Whether it contains a password or another secret, in any form.
    public var hasPassword: Bool {
        parameters.contains { key, value in
            let key = key.lowercased()
            // `dbname` may be a whole connection string.
            let inside = key == "dbname" ? (try? DatabaseAddress(value))?.hasPassword == true : false
            return inside || (!value.isEmpty && (key.hasSuffix("password") || key.hasSuffix("secret")))
        }
    }

    /// Whether all its servers are reached without a network; nil: a service file decides.
    public var isLocal: Bool? {
        guard let hosts = self["hostaddr"] ?? self["host"], !hosts.isEmpty else {
            return self["service"] == nil ? true : nil
        }
        return hosts.split(separator: ",").allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// `key = 'value'`, with blanks anywhere.
    private static func pairs(_ bytes: [UInt8]) throws(Fault) -> [(key: String, value: String)] {
        var (rest, pairs) = (bytes[...], [(key: String, value: String)]())
        func skipBlanks() { rest = rest.drop(while: isBlank) }
        skipBlanks()
        if rest.isEmpty { throw .empty }
        while !rest.isEmpty {
            let key = rest.prefix { $0 != UInt8(ascii: "=") && !isBlank($0) }
            rest = rest.dropFirst(key.count)
            skipBlanks()
            guard rest.first == UInt8(ascii: "=") else {
                throw .noValue(String(decoding: key, as: UTF8.self))
            }
            rest = rest.dropFirst()
            skipBlanks()
            pairs.append((String(decoding: key, as: UTF8.self), try value(&rest)))
            skipBlanks()
        }
        return pairs
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> String {
        let quote = UInt8(ascii: "'")
        let isQuoted = rest.first == quote
        if isQuoted { rest = rest.dropFirst() }
        var value: [UInt8] = []
        while let byte = rest.first {
            if isQuoted ? byte == quote : isBlank(byte) { break }
            rest = rest.dropFirst()
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            if let escaped = rest.popFirst() { value.append(escaped) }
        }
        if isQuoted {
            if rest.isEmpty { throw .openQuote }
            rest = rest.dropFirst()
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// `USER:PASSWORD@HOST:PORT,…/DBNAME?KEY=VALUE&…`; any part may be missing.
    private static func ofURI(_ bytes: ArraySlice<UInt8>) -> [(key: String, value: String)] {
        var (rest, found) = (bytes, [(key: String, value: String)]())
        func add(_ key: String, _ value: ArraySlice<UInt8>) {
            if !value.isEmpty { found.append((key, decoded(value))) }
        }
        func take(upTo marks: String) -> ArraySlice<UInt8> {
            let part = rest.prefix { !marks.utf8.contains($0) }
            rest = rest.dropFirst(part.count)
            return part
        }
        let ahead = rest.prefix { $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "/") }
        if ahead.endIndex < rest.endIndex, rest[ahead.endIndex] == UInt8(ascii: "@") {
            add("user", take(upTo: ":@"))
            if rest.first == UInt8(ascii: ":") { add("password", take(upTo: "@").dropFirst()) }
            rest = rest.dropFirst()
        }
        var hosts: [String] = []
        for part in take(upTo: "/?").split(separator: UInt8(ascii: ",")) {
            let host: ArraySlice<UInt8> =
                part.first == UInt8(ascii: "[")
                ? part.dropFirst().prefix { $0 != UInt8(ascii: "]") }
                : part.prefix { $0 != UInt8(ascii: ":") }
            hosts.append(decoded(host))
        }
        if hosts.contains(where: { !$0.isEmpty }) { found.append(("host", hosts.joined(separator: ","))) }
        if rest.first == UInt8(ascii: "/") {
            rest = rest.dropFirst()
            add("dbname", take(upTo: "?"))
        }
        for pair in rest.dropFirst().split(separator: UInt8(ascii: "&")) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            add(decoded(key), pair.dropFirst(key.count + 1))
        }
        return found
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var (rest, out) = (bytes, [UInt8]())
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16)
            else {
                out.append(byte)
                continue
            }
            out.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: out, as: UTF8.self)
    }
}
