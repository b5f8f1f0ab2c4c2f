import LullModel
import LullWire

@testable import LullHistory

/// A plugin asks for one of its settings: any path and any text give a value or none.
///
/// The input is the path's length in one byte, the path, and the text. For valid JSON, a second JSON reader must find the
/// same value.
enum SettingsCheck {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let path = bytes.dropFirst().prefix(Int(first))
        let text = Array(bytes.dropFirst(1 + path.count))
        guard let pointer = JSONPointer(path) else { return }
        let found = text.withUnsafeBytes { pointer.value(in: $0) }
        // The second reader refuses text with a duplicate key, so there is nothing to compare.
        guard let whole = try? JSONLine.value(text) else { return }
        try hold(
            whole == (try? JSONLine.value(Array(whole.text.utf8))), "written it is another: \(whole.text)")
        let expected = value(at: path, in: whole)
        try hold((found == nil) == (expected == nil), "\(found ?? []) is not \(expected?.text ?? "nothing")")
        guard let found, let expected else { return }
        if case .string(let text) = expected {
            try hold(found == Array(text.utf8), "\(found) is not \(text.debugDescription)")
        } else {
            try hold((try? JSONLine.value(found)) == expected, "\(found) is not \(expected.text)")
        }
    }

    /// A second implementation of RFC 6901, over values.
    private static func value(at path: ArraySlice<UInt8>, in whole: JSONValue) -> JSONValue? {
        var value = whole
        for step in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            let key = unescaped(step)
            switch value {
            case .object(let members):
                // Compares bytes: Swift's strings treat two spellings of é as one key.
                guard let member = members.first(where: { $0.key.utf8.elementsEqual(key) }) else {
                    return nil
                }
                value = member.value
            case .array(let elements):
                guard let text = String(validating: key, as: UTF8.self), let index = Int(text),
                    String(index) == text, elements.indices.contains(index)
                else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    private static func unescaped(_ step: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var rest = step
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                out.append(byte)
                continue
            }
            out.append(rest.popFirst() == UInt8(ascii: "1") ? UInt8(ascii: "/") : UInt8(ascii: "~"))
        }
        return out
    }
}
