/// A character that looks like one of YAML's or of lull's, as word processors and web pages put it in its place.
public struct LookalikeProblem: Sendable, Hashable {
    let code: UInt32
    let name: String
    /// The character that is meant.
    let meant: Character
    /// The whole value as it is meant, if it is short and not in `settings`.
    let remedy: String?

    var message: String {
        "here is \(name), U+\(hex(code, 4)), and not \(Self.phrase(of: meant))"
    }

    var fix: String {
        let typed = meant == " " ? "delete it, and type a space" : "type `\(meant)` in its place"
        return typed + (remedy.map { ": `\($0)`" } ?? "")
    }

    private static func phrase(of meant: Character) -> String {
        switch meant {
        case " ": "a space"
        case "-": "a hyphen"
        case ":": "a colon"
        case ",": "a comma"
        case let letter where letter.isLetter: "the letter \(letter)"
        default: "a quote"
        }
    }

    /// The first such character of a text and its place in it; nil if there is none.
    static func first(in text: String, showsText: Bool) -> (problem: LookalikeProblem, offset: Int)? {
        let scalars = Array(text.unicodeScalars)
        let isLatin = scalars.contains { $0.isASCII && $0.properties.isAlphabetic }
        guard let offset = scalars.firstIndex(where: { known($0, in: isLatin) != nil }),
            let (name, meant) = known(scalars[offset], in: isLatin)
        else { return nil }
        var remedy: String?
        if showsText, scalars.count <= 60 {
            remedy = String(scalars.map { known($0)?.meant ?? Character($0) }).trimmingSpaces
        }
        return (
            LookalikeProblem(code: scalars[offset].value, name: name, meant: meant, remedy: remedy), offset
        )
    }

    private static func known(
        _ scalar: Unicode.Scalar, in latin: Bool
    ) -> (name: String, meant: Character)? {
        let found = known(scalar)
        return latin || found?.meant.isLetter != true ? found : nil
    }

    private static func known(_ scalar: Unicode.Scalar) -> (name: String, meant: Character)? {
        switch scalar.value {
        case 0xA0: ("a no-break space", " ")
        case 0x202F: ("a narrow no-break space", " ")
        case 0x2000...0x200A, 0x205F: ("a typographic space", " ")
        case 0x3000: ("an ideographic space", " ")
        case 0x2010, 0x2011: ("a typographic hyphen", "-")
        case 0x2012, 0x2013: ("an en dash", "-")
        case 0x2014, 0x2015: ("an em dash", "-")
        case 0x2212: ("a minus sign", "-")
        case 0x2018...0x201B: ("a typographic quote", "'")
        case 0x201C...0x201F, 0xAB, 0xBB: ("a typographic quote", "\"")
        case 0xFF1A: ("a fullwidth colon", ":")
        case 0xFF0C: ("a fullwidth comma", ",")
        default:
            cyrillic[scalar].map { ("a Cyrillic letter", $0) } ?? greek[scalar].map { ("a Greek letter", $0) }
        }
    }

    /// Only beside Latin letters: a text that is Cyrillic or Greek throughout is meant so.
    private static let cyrillic = letters("аеорсухіјѕһԁ", "aeopcyxijshd")
    private static let greek = letters("ονικ", "ovik")

    private static func letters(_ foreign: String, _ latin: String) -> [Unicode.Scalar: Character] {
        Dictionary(uniqueKeysWithValues: zip(foreign.unicodeScalars, latin))
    }
}
