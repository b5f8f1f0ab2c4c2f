import LullModel

/// The `params` of a task.
extension ManifestDecoder {
    mutating func params(_ entry: Entry) -> [TaskParam]? {
        guard isMapping(entry.value, of: .params) else { return nil }
        var params: [TaskParam] = []
        var variables: [String: String] = [:]
        var entries = document.contents(of: entry.value)
        while let key = entries.next(), let value = entries.next().map(document.resolve) {
            guard let name = nameText(key) else { continue }
            guard TaskParam.isName(name) else {
                add(.param(.name(name)), at: key)
                continue
            }
            if params.contains(where: { $0.name == name }) {
                let first = lineOfFirst(name, in: entry.value)
                add(.structure(.duplicateKey(name, firstLine: first)), at: key)
                continue
            }
            let variable = TaskParam.variable(for: name)
            if let other = variables.updateValue(name, forKey: variable) {
                add(.param(.sameVariable(other, name)), at: key)
            }
            if Self.looksSecret(name) { add(.param(.perhapsSecret(name)), at: key) }
            // A parameter that is wrong keeps its name, so that nothing else is reported of it.
            params.append(param(name, value, in: entry.value) ?? TaskParam(name: name, value: ""))
        }
        if params.count > TaskParam.most { add(.param(.tooMany(params.count)), at: entry.keyNode) }
        let bytes = params.reduce(0) { $0 + $1.value.utf8.count }
        if bytes > TaskParam.totalBytes { add(.param(.tooLarge(bytes)), at: entry.keyNode) }
        return params.isEmpty ? nil : params
    }

    private mutating func param(_ name: String, _ value: NodeID, in mapping: NodeID) -> TaskParam? {
        if document.isScalar(value), !document.isEmpty(value) {
            let text = document.text(value)
            if let fault = TaskParam.fault(inText: text) {
                add(.param(.badDefault(name: name, fault)), at: value)
            }
            return TaskParam(name: name, value: text)
        }
        guard document.nodes[value].shape == .mapping else {
            guard document.nodes[value].shape != .refused, !document.isCut(mapping) else { return nil }
            add(.param(document.isEmpty(value) ? .noDefault(name) : .notOneValue(name)), at: value)
            return nil
        }
        var param = TaskParam(name: name, value: "")
        var standard: Entry?
        let before = problems.found.count
        let seen = keys(of: value, in: .param) { decoder, entry in
            switch entry.key {
            case .default:
                standard = entry
                param.value = decoder.text(entry) ?? ""
            case .match: param.match = decoder.pattern(entry)
            case .oneOf: param.choices = decoder.choices(entry)
            case .description: param.description = decoder.text(entry)
            default: Self.unread(entry.key)
            }
        }
        if seen.contains(.match, in: .param), seen.contains(.oneOf, in: .param) {
            add(.param(.twoRules), at: value)
        }
        if !seen.contains(.default, in: .param), !document.isCut(value) {
            add(.param(.noDefault(name)), at: value)
        } else if let standard, problems.found.count == before, let fault = param.fault(of: param.value) {
            switch fault {
            case .noMatch, .noChoice:
                add(
                    .param(
                        .defaultRefused(
                            param.value, name: name, rule: param.rule, choice: param.choices.first)),
                    at: standard.value)
            case .control, .notUTF8, .tooLong:
                add(.param(.badDefault(name: name, fault)), at: standard.value)
            }
        }
        return param
    }

    private mutating func pattern(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        do throws(ValuePattern.Fault) {
            _ = try ValuePattern(text)
            return text
        } catch {
            add(.param(.expression(text, error)), at: entry.value)
            return nil
        }
    }

    private mutating func choices(_ entry: Entry) -> [String] {
        guard let items = list(entry, remedy: { "[\($0)]" }) else { return [] }
        var choices: [String] = []
        for item in items {
            guard document.isScalar(item), !document.isNothing(item) else {
                add(.param(.choice(nil)), at: item)
                continue
            }
            let text = document.text(item)
            if let fault = TaskParam.fault(inText: text) {
                add(.param(.choice(fault)), at: item)
            } else if choices.contains(text) {
                add(.param(.choiceTwice(text)), at: item)
            } else {
                choices.append(text)
            }
        }
        if items.isEmpty, !document.isCut(entry.value) { add(.param(.noChoices), at: entry.value) }
        return choices
    }

    /// Whether people would expect a secret behind the name.
    private static func looksSecret(_ name: String) -> Bool {
        let words = name.lowercased().split { $0 == "_" || $0 == "-" }
        return words.contains {
            ["password", "passwd", "passphrase", "secret", "token", "apikey", "credential", "credentials"]
                .contains($0)
        }
    }

    /// Reports variables of parameters that a command line does not quote, or that are those of no parameter.
    mutating func check(paramsOf draft: TaskDraft) {
        guard draft.isCommand, let settings = draft.settingsNode, case .object(let members) = draft.settings,
            case .string(let line)? = members["run"]
        else { return }
        var entries = document.contents(of: settings)
        var place = settings
        while let key = entries.next(), let value = entries.next() {
            if document.isScalar(document.resolve(key)), document.text(document.resolve(key)) == "run" {
                place = document.resolve(value)
            }
        }
        let known = (draft.params ?? []).map { TaskParam.variable(for: $0.name) }
        var reported: Set<String> = []
        for use in ParamUse.all(in: line) where reported.insert(use.variable).inserted {
            if !known.contains(use.variable) {
                let nearest = Spelling.nearest(to: use.variable, among: known)
                add(.param(.undeclared(use.variable, nearest: nearest)), at: place)
            } else if !use.isQuoted {
                add(.param(.unquoted(use.variable)), at: place)
            }
        }
    }
}

/// A use of a parameter's variable in a command line.
private struct ParamUse {
    let variable: String
    let isQuoted: Bool

    /// What the shell substitutes: not in single quotes, and not behind `\`. In doubt a use counts as quoted.
    static func all(in line: String) -> [ParamUse] {
        let bytes = Array(line.utf8)
        let prefix = Array("LULL_PARAM_".utf8)
        var uses: [ParamUse] = []
        var (isSingle, isDouble) = (false, false)
        var place = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\") where !isSingle: place += 1
            case UInt8(ascii: "'") where !isDouble: isSingle.toggle()
            case UInt8(ascii: "\"") where !isSingle: isDouble.toggle()
            case UInt8(ascii: "$") where !isSingle:
                var start = place + 1
                if start < bytes.count, bytes[start] == UInt8(ascii: "{") { start += 1 }
                guard bytes[start...].starts(with: prefix) else { break }
                let name = bytes[start...].prefix { isWord($0) }
                let isAssigned = isAssigned(in: bytes[..<place])
                uses.append(
                    ParamUse(
                        variable: String(decoding: name, as: UTF8.self), isQuoted: isDouble || isAssigned))
                place = name.endIndex - 1
            default: break
            }
            place += 1
        }
        return uses
    }

    /// Whether the value is assigned to a variable at the beginning of a command, which does not split it.
    private static func isAssigned(in before: ArraySlice<UInt8>) -> Bool {
        guard before.last == UInt8(ascii: "="), let name = before.dropLast().lastIndex(where: { !isWord($0) })
        else {
            return before.last == UInt8(ascii: "=")
        }
        let last = before[...name].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return last.map { "\n;&|(".utf8.contains($0) } ?? true
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
