import LullModel

/// The members of a JSON object, each read as the type that its key takes.
struct JSONMembers {
    private let members: [String: JSONValue]

    /// Nil for all but an object.
    init?(_ json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self.members = members
    }

    subscript(_ key: String) -> JSONValue? { members[key] }

    func string(_ key: String) -> String? { members[key]?.string }

    func integer(_ key: String) -> Int64? { members[key]?.integer }

    /// Nil only if the member is not an integer.
    func integer(_ key: String, else absent: Int64) -> Int64? { members[key].map(\.integer) ?? absent }

    func int(_ key: String) -> Int? { integer(key).flatMap { Int(exactly: $0) } }

    func int(_ key: String, else absent: Int) -> Int? {
        integer(key, else: Int64(absent)).flatMap { Int(exactly: $0) }
    }

    /// A number that `JSONValue.counting` wrote.
    func count(_ key: String) -> UInt64? { integer(key).map { UInt64(bitPattern: $0) } }

    /// Nil only if the member is not a boolean.
    func flag(_ key: String, else absent: Bool = false) -> Bool? {
        switch members[key] {
        case nil: absent
        case .bool(let value): value
        default: nil
        }
    }

    func time(_ key: String) -> WallTime? { string(key).flatMap { WallTime(rfc3339: $0) } }

    /// Whether the member is of this type, or not there.
    func has<Value>(_ key: String, as type: (JSONValue) -> Value?) -> Bool {
        members[key].map { type($0) != nil } ?? true
    }
}

extension JSONValue {
    var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// An unsigned number; it is written as the signed number with the same bits, as in the rows.
    static func counting(_ number: UInt64) -> JSONValue { .integer(Int64(bitPattern: number)) }
}
