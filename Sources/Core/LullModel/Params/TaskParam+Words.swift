/// Parameters in sentences.
extension TaskParam {
    /// What a value has to be, after the name of the parameter.
    public var rule: String {
        if !choices.isEmpty { return "must be " + Self.alternatives(choices.map(Self.quoted)) }
        if let match { return "must match " + Self.quoted(match) + " as a whole" }
        return "takes any text"
    }

    /// How a value is given on the command line.
    public var example: String {
        let value = self.value.isEmpty ? choices.first { !$0.isEmpty } ?? "VALUE" : self.value
        return "--param " + Self.pair(name, value)
    }

    /// Why it can't have this value: the name, the rule and an example; nil: it can.
    func refusal(of value: String) -> String? {
        guard let fault = fault(of: value) else { return nil }
        let what: String =
            switch fault {
            case .noMatch, .noChoice:
                "\(Self.quoted(value)) is no value for the parameter `\(name)`, which \(rule)."
            case .control(let scalar):
                "The value of the parameter `\(name)` has the control character \(Self.code(scalar)), and a value is one line of text. It \(rule)."
            case .notUTF8:
                "The value of the parameter `\(name)` is not UTF-8, or has the character U+FFFD. It \(rule)."
            case .tooLong(let bytes):
                "The value of the parameter `\(name)` has \(bytes) bytes, and at most \(Self.valueBytes) are taken. It \(rule)."
            }
        return what + " For example: `\(example)`."
    }

    /// `U+000A`.
    public static func code(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }

    /// Values for people: `date=2026-01-01 note='two words'`, as a shell would take them. Terminal-safe, for a history may be
    /// imported.
    public static func words(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }.map { pair($0.key, $0.value) }.joined(separator: " ").terminalSafe
    }

    private static func pair(_ name: String, _ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789-_./:,+@%".unicodeScalars.contains($0)
            }
        let text = value.unicodeScalars.count <= 200 ? value : String(value.unicodeScalars.prefix(200)) + "…"
        return name + "="
            + (isPlain
                ? text
                : "'"
                    + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
                    + "'")
    }

    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.count <= 60 ? "'\(text)'" : "'\(String(text.unicodeScalars.prefix(60)))…'"
    }

    private static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension TaskDefinition {
    /// Why a launch can't have these values; nil: it can.
    public func refusal(ofParams given: [String: String]?) -> String? {
        guard let given, !given.isEmpty else { return nil }
        let declared = params ?? []
        for (name, value) in given.sorted(by: { $0.key < $1.key }) {
            guard let param = declared.first(where: { $0.name == name }) else {
                return refusal(ofUnknown: name, declared)
            }
            if let refusal = param.refusal(of: value) { return refusal }
        }
        // All were matched above, so none is matched again.
        let bytes = declared.reduce(0) { $0 + (given[$1.name] ?? $1.value).utf8.count }
        guard bytes > TaskParam.totalBytes else { return nil }
        return
            "The parameters of \(identifier) have \(bytes) bytes together, and at most \(TaskParam.totalBytes) are taken. "
            + "Put the content into a file, and give its path."
    }

    private func refusal(ofUnknown name: String, _ declared: [TaskParam]) -> String {
        guard !declared.isEmpty else {
            return
                "\(identifier) takes no parameters. Declare them in its `params`, such as `params: { \(TaskParam.isName(name) ? name : "date"): DEFAULT }`."
        }
        let names = declared.map(\.name)
        let shown =
            name.unicodeScalars.contains { TaskParam.fault(inText: String($0)) != nil }
            ? "That name" : "`\(name.prefix(60))`"
        let meant = Spelling.nearest(to: name, among: names).map { " Did you mean `\($0)`?" } ?? ""
        return "\(shown) is no parameter of \(identifier).\(meant) It has "
            + Phrase.list(names.map { "`\($0)`" }) + ", for example `\(declared[0].example)`."
    }
}
