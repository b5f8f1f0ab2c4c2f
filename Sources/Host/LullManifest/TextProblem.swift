/// Bytes that are not text, or text that a manifest may not hold.
public enum TextProblem: Sendable, Hashable {
    case notUTF8(byte: UInt8, offset: Int)
    case utf16
    /// A program, an archive, a picture.
    case binary
    case control(UInt32)
    /// NEL, LS or PS: a line's end for some programs and none for others.
    case lineSeparator(UInt32)
    /// A byte order mark inside the text, or a code point that is no character.
    case notACharacter(UInt32)

    var message: String {
        switch self {
        case .notUTF8(let byte, let offset):
            "this is not UTF-8: the byte 0x\(hex(UInt32(byte), 2)) at offset \(offset)"
        case .utf16: "the file is UTF-16, but a manifest is UTF-8"
        case .binary: "this is not text: it is full of bytes that text does not contain"
        case .control(0): "a NUL byte in the text"
        case .control(let code): "a control character, U+\(hex(code, 4))"
        case .lineSeparator(let code): "an invisible line separator, U+\(hex(code, 4))"
        case .notACharacter(0xFEFF): "an invisible byte order mark, U+FEFF, in the middle of the text"
        case .notACharacter(let code): "U+\(hex(code, 4)) is not a character"
        }
    }

    var fix: String {
        switch self {
        case .notUTF8(let byte, _) where byte >= 0xA0:
            "if the file is Latin-1 (there it is '\(Character(Unicode.Scalar(byte)))'), save it as UTF-8: "
                + "`iconv -f LATIN1 -t UTF-8`"
        case .notUTF8: "save the file as UTF-8"
        case .utf16: "save the file as UTF-8: `iconv -f UTF-16 -t UTF-8`"
        case .binary: "name a manifest: text in YAML, such as `jobs.yaml`"
        case .control(0): "delete it"
        case .control(let code) where code < 0x80:
            "delete it; in double quotes it can be written as `\\x\(hex(code, 2))`"
        case .control(let code), .lineSeparator(let code):
            "delete it; in double quotes it can be written as `\\u\(hex(code, 4))`"
        case .notACharacter: "delete it"
        }
    }
}

func hex(_ code: UInt32, _ digits: Int) -> String {
    let text = String(code, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
