import LullHistory
import LullModel

/// Finds the time in a JSON object.
struct JSONTimeField {
    struct Failure: Error {
        var column: Int
        var fault: ImportProblem.Fault
    }

    static let names = ["time", "timestamp", "ts", "@timestamp"]

    /// Paths into the object, of which the first that exists counts; `a.b` is one key, or b within a.
    private let paths: [[String]]
    private let shown: [String]

    init(_ name: String?) {
        shown = name.map { [$0] } ?? Self.names
        let parts = name?.split(separator: ".", omittingEmptySubsequences: false).map(String.init) ?? []
        paths = shown.map { [$0] } + (parts.count > 1 ? [parts] : [])
    }

    /// The value of the field as text, and its column in the line.
    func value(in line: ArraySlice<UInt8>) throws(Failure) -> ([UInt8], column: Int) {
        let members: [JSONLine.Member]
        do throws(JSONLine.Failure) {
            members = try JSONLine.members(Array(line))
        } catch {
            throw Failure(column: error.column, fault: Self.fault(error.fault))
        }
        for path in paths {
            guard let member = members.first(where: { $0.key == path[0] }),
                let value = Self.value(of: member.value, path.dropFirst())
            else { continue }
            return (Array(Self.text(value).utf8), member.valueColumn)
        }
        throw Failure(column: 1, fault: .noField(shown))
    }

    private static func value(of value: JSONValue, _ path: ArraySlice<String>) -> JSONValue? {
        var value = value
        for step in path {
            guard case .object(let members) = value, let next = members[step] else { return nil }
            value = next
        }
        return value == .null ? nil : value
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        // Swift prints a large double as 1.7e9; below 2^53 a whole number and three decimals are exact enough.
        case .number(let number) where abs(number) < 9e15:
            let whole = number.rounded(.towardZero)
            let thousandths = Int(((number - whole).magnitude * 1000).rounded(.towardZero))
            let digits = String(1000 + thousandths).dropFirst()
            return (number < 0 ? "-" : "") + "\(Int(whole.magnitude)).\(digits)"
        default: return value.text
        }
    }

    private static func fault(_ fault: LineProblem.Fault) -> ImportProblem.Fault {
        switch fault {
        case .notAnObject: .notAnObject
        case .notJSON(let expected): .json("this is not JSON: expected \(expected)")
        case .notUTF8: .json("the text is not UTF-8")
        case .duplicate(let key): .json("'\(ImportProblem.shown(key.utf8))' is there twice")
        case .tooLong, .missing, .wrong, .unknownEvent: .json("this is not JSON")
        }
    }
}
