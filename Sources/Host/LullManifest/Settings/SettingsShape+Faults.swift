private import Glibc
import LullModel

/// Checks a value against a shape: all its faults, outermost first, members by name.
extension SettingsShape {
    func faults(of value: JSONValue, at path: [String]) -> [SettingFault] {
        func fault(_ fact: SettingFault.Fact) -> [SettingFault] { [SettingFault(path: path, fact: fact)] }
        guard takesKind(of: value) else {
            return fault(.wrongKind(expected: allKinds, found: value, example: example.map(\.yaml)))
        }
        if !choices.isEmpty, !choices.contains(value) {
            // A text among truths is most likely a slip of the quotes, and the choices say it.
            return fault(.notAChoice(choices, found: value))
        }
        switch value {
        case .object(let members): return faults(of: members, at: path) + alternativeFaults(value, path)
        case .array(let values): return faults(of: values, at: path) + alternativeFaults(value, path)
        case .string(let text):
            if let fact = fact(about: text) { return fault(fact) }
        case .integer, .number:
            if let range = range(missedBy: value) { return fault(.outOfRange(range, found: value)) }
        case .null, .bool: break
        }
        return alternativeFaults(value, path)
    }

    private func alternativeFaults(_ value: JSONValue, _ path: [String]) -> [SettingFault] {
        guard !alternatives.isEmpty else { return [] }
        let tried = alternatives.map { $0.faults(of: value, at: path) }
        let fitting = tried.count { $0.isEmpty }
        if fitting > 1, isExclusive { return [SettingFault(path: path, fact: .severalFit)] }
        guard fitting == 0 else { return [] }
        // Of the alternatives that take this kind of value, the one with the fewest faults.
        let near = zip(alternatives, tried).filter { $0.0.takesKind(of: value) }.map { $0.1 }
        return near.min { $0.count < $1.count } ?? tried[0]
    }

    private func faults(of members: [String: JSONValue], at path: [String]) -> [SettingFault] {
        var faults: [SettingFault] = []
        let strays = others == .none ? members.keys.filter { properties[$0] == nil } : []
        for name in required where members[name] == nil {
            // A misspelled name is reported instead.
            let slips = strays.contains { stray in
                UsualGuess.setting(stray) == name
                    || Spelling.nearest(to: stray, among: properties.keys.sorted()) == name
            }
            guard !slips else { continue }
            let shape = properties[name]
            faults.append(
                SettingFault(
                    path: path,
                    fact: .missing(name, example: shape?.example?.yaml, description: shape?.description)))
        }
        for name in members.keys.sorted() {
            guard let member = members[name] else { continue }
            let place = path + [name]
            if let shape = names.first, !shape.faults(of: .string(name), at: []).isEmpty {
                faults.append(SettingFault(path: place, fact: .name(name, description: shape.description)))
            }
            switch (properties[name], others) {
            case (let shape?, _): faults += shape.faults(of: member, at: place)
            case (nil, .of(let shape)): faults += shape.faults(of: member, at: place)
            case (nil, .none):
                faults.append(
                    SettingFault(path: place, fact: .unknown(name, known: properties.keys.sorted())))
            case (nil, .anything): break
            }
        }
        return faults
    }

    private func faults(of values: [JSONValue], at path: [String]) -> [SettingFault] {
        var faults: [SettingFault] = []
        if let least = leastItems, values.count < least {
            let words =
                values.isEmpty ? "an empty list" : "a list of \(values.count), but needs at least \(least)"
            faults.append(
                SettingFault(
                    path: path,
                    fact: .length(words, remedy: "name at least \(least == 1 ? "one" : "\(least)")")))
        }
        if let most = mostItems, values.count > most {
            faults.append(
                SettingFault(
                    path: path,
                    fact: .length(
                        "a list of \(values.count), but takes at most \(most)", remedy: "name fewer")))
        }
        if let shape = items.first {
            for (number, value) in values.enumerated() {
                faults += shape.faults(of: value, at: path + [String(number)])
            }
        }
        if format == .program, values.first == .string("") {
            faults.append(SettingFault(path: path + ["0"], fact: .format(.program, found: "")))
        }
        return faults
    }

    private func fact(about text: String) -> SettingFault.Fact? {
        if let least = leastLength, text.count < least {
            let words = text.isEmpty ? "empty" : "shorter than \(least) characters"
            let remedy =
                example.map { "write, for example, `\($0.yaml)`" } ?? "write something there, or take it out"
            return .length(words, remedy: remedy)
        }
        if let most = mostLength, text.count > most {
            return .length("longer than \(most) characters", remedy: "write something shorter")
        }
        if let format, !format.fits(text) {
            return .format(format, found: text.allSatisfy(\.isWhitespace) ? "" : text)
        }
        if let pattern, !Self.matches(text, pattern) { return .pattern(text, description: description) }
        return nil
    }

    /// The range that the number is not in, like "from 1 to 5"; nil if it is in it.
    private func range(missedBy value: JSONValue) -> String? {
        let number: Double
        switch value {
        case .integer(let integer): number = Double(integer)
        case .number(let double): number = double
        default: return nil
        }
        guard number < least ?? number || number > most ?? number else { return nil }
        switch (least, most) {
        case (let least?, let most?):
            return "from \(QuantityText.plain(least)) to \(QuantityText.plain(most))"
        case (let least?, nil): return "\(QuantityText.plain(least)) at least"
        case (nil, let most?): return "\(QuantityText.plain(most)) at most"
        case (nil, nil): return nil
        }
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        var compiled = regex_t()
        guard regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0 else { return true }
        defer { regfree(&compiled) }
        return regexec(&compiled, text, 0, nil, 0) == 0
    }
}

extension SettingsShape.Format {
    func fits(_ text: String) -> Bool {
        switch self {
        case .duration: DurationText.parse(Array(text.utf8)[...]) != nil
        case .size: QuantityText.size(text) != nil
        case .path, .folder, .program: !text.isEmpty
        case .command: !text.allSatisfy(\.isWhitespace) && !text.contains("\0")
        }
    }
}

extension JSONValue {
    /// As it is written in the manifest, in braces where it is more than one value.
    var yaml: String {
        switch self {
        case .null: return "null"
        case .bool, .integer, .number: return text
        case .string(let string):
            let isPlain =
                string.first.map { $0.isLetter || $0 == "/" } ?? false
                && !string.contains(": ") && !string.contains(" #")
                && !string.contains { ",[]{}\"'\n".contains($0) }
                && !["true", "false", "null"].contains(string)
            return isPlain ? string : text
        case .array(let values): return "[" + values.map(\.yaml).joined(separator: ", ") + "]"
        case .object(let members):
            let words = members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.yaml)" }
            return "{ " + words.joined(separator: ", ") + " }"
        }
    }
}
