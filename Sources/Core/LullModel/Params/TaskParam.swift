/// A parameter of a task: a value that a launch by hand may give to one run, in place of the default.
public struct TaskParam: Sendable, Equatable, Codable {
    /// Bytes of a name and of a value, parameters of a task, and bytes of all their values together: a launch is one frame.
    public static let nameBytes = 64
    public static let valueBytes = 4 << 10
    public static let most = 32
    public static let totalBytes = 16 << 10

    public var name: String
    /// The value in each launch that gives no other.
    public var value: String
    /// A `ValuePattern`; nil: any value.
    public var match: String?
    /// The only values; empty: any.
    public var choices: [String] = []
    public var description: String?

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// A letter, then letters, digits, `_` and `-`: one word for a shell, a variable and a form.
    public static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= nameBytes else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
    }

    /// `isName` as a regular expression.
    public static let namePattern = "^[A-Za-z][A-Za-z0-9_-]{0,63}$"

    /// The parts of `NAME=VALUE`; nil: it is no such text. A combining mark after `=` begins the value: for `Character` both
    /// are one, which is not `=`.
    public static func nameAndValue(in text: String) -> (name: String, value: String)? {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")), mark != text.startIndex else {
            return nil
        }
        return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// The environment variable that a command finds the value in. Its prefix keeps it apart from all variables that change how
    /// a program is found, loaded or run, whatever the parameter is called.
    public static func variable(for name: String) -> String {
        "LULL_PARAM_"
            + String(name.map { $0 == "-" ? "_" : Character(String($0).uppercased()) })
    }

    /// Why a value is none for this parameter; nil: it is one.
    public func fault(of value: String) -> Fault? {
        if let fault = Self.fault(inText: value) { return fault }
        if !choices.isEmpty {
            return choices.contains { Self.isSame($0, value) } ? nil : .noChoice
        }
        guard let match, let pattern = try? ValuePattern(match) else { return nil }
        return pattern.fits(value) ? nil : .noMatch
    }

    /// Compares bytes, as a command does: for `==` two spellings of `é` are one text.
    static func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    /// The rules for all values of all parameters.
    public static func fault(inText value: String) -> Fault? {
        if value.utf8.count > valueBytes { return .tooLong(bytes: value.utf8.count) }
        for scalar in value.unicodeScalars {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028
                || scalar.value == 0x2029
            {
                return .control(scalar)
            }
            // Bytes that are no UTF-8 were replaced by it on their way here.
            if scalar.value == 0xFFFD { return .notUTF8 }
        }
        return nil
    }

    public enum Fault: Sendable, Hashable {
        case tooLong(bytes: Int)
        case control(Unicode.Scalar)
        case notUTF8
        case noMatch
        case noChoice
    }
}

extension TaskDefinition {
    /// The values of a run: the defaults, and what was given in their place. A value that the task no longer takes is left out.
    public func params(given: [String: String]?) -> [String: String]? {
        guard let declared = params else { return nil }
        return Dictionary(
            declared.map { param in
                guard let value = given?[param.name], param.fault(of: value) == nil else {
                    return (param.name, param.value)
                }
                return (param.name, value)
            }
        ) { first, _ in first }
    }

    /// The values of an earlier run that are not the defaults of now; nil: there are none.
    public func paramsToGive(again values: [String: String]?) -> [String: String]? {
        guard let values, let defaults = params(given: nil) else { return nil }
        let given = values.filter { name, value in
            defaults[name].map { !TaskParam.isSame($0, value) } ?? false
        }
        return given.isEmpty ? nil : given
    }

    /// Whether a run has the same values with the one and with the other.
    public func hasSameParams(given one: [String: String]?, and other: [String: String]?) -> Bool {
        let (values, others) = (params(given: one) ?? [:], params(given: other) ?? [:])
        return values.allSatisfy { name, value in
            others[name].map { TaskParam.isSame($0, value) } ?? false
        }
    }
}

extension JSONValue {
    /// An object of texts, such as parameters.
    public init(texts: [String: String]) { self = .object(texts.mapValues { .string($0) }) }

    /// Nil unless it is an object of texts.
    public var texts: [String: String]? {
        guard case .object(let members) = self else { return nil }
        let texts = members.compactMapValues { value in
            if case .string(let text) = value { text } else { nil }
        }
        return texts.count == members.count ? texts : nil
    }
}
