import Foundation

/// A sentence of a property `fix` as the source has it, with places for interpolated values.
struct RemedySentence {
    let text: String
    /// The texts between the places.
    let pieces: [String]

    /// Whether `fix`, or a part of it, comes from this sentence.
    func matches(_ fix: String) -> Bool {
        var rest = fix[...]
        for piece in pieces {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}

/// All sentences of the properties `fix` in the sources of the manifest's reader.
enum RemedySentences {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func all() throws -> [RemedySentence] {
        let folder = root.appendingPathComponent("Sources/Host/LullManifest")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let files = names.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0) }
        let more = [root.appendingPathComponent("Sources/Core/LullCalendar/At/AtFault.swift")]
        return try (files + more).flatMap { try sentences(in: String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func sentences(in source: String) -> [RemedySentence] {
        var found: [RemedySentence] = []
        var rest = source[...]
        while let start = rest.firstRange(of: "var fix: String {") {
            rest = rest[start.upperBound...]
            var scanner = Scanner(rest: rest)
            found += scanner.sentences()
            rest = scanner.rest
        }
        return found
    }

    /// Reads the literals of a body up to its closing brace.
    private struct Scanner {
        var rest: Substring

        mutating func sentences() -> [RemedySentence] {
            var found: [RemedySentence] = []
            var depth = 1
            while depth > 0, let character = rest.popFirst() {
                switch character {
                case "{": depth += 1
                case "}": depth -= 1
                case "/" where rest.first == "/": rest = rest.drop { $0 != "\n" }
                case "\"":
                    let pieces = literal()
                    let text = pieces.joined(separator: "…")
                    // A text that is compared or joined is no sentence.
                    if text.contains(" "), text.contains(where: \.isLetter) {
                        found.append(RemedySentence(text: text, pieces: pieces.filter { !$0.isEmpty }))
                    }
                default: break
                }
            }
            return found
        }

        private mutating func literal() -> [String] {
            var pieces = [""]
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\", let escaped = rest.popFirst() else {
                    pieces[pieces.count - 1].append(character)
                    continue
                }
                if escaped == "(" {
                    skipInterpolation()
                    pieces.append("")
                } else {
                    pieces[pieces.count - 1].append(escaped == "n" ? "\n" : escaped)
                }
            }
            return pieces
        }

        private mutating func skipInterpolation() {
            var depth = 1
            while depth > 0, let character = rest.popFirst() {
                switch character {
                case "(": depth += 1
                case ")": depth -= 1
                case "\"": _ = literal()
                default: break
                }
            }
        }
    }
}
