import Testing

@testable import LullManifest

/// Bytes that no manifest may hold are found before YAML is read.
struct TextProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "Latin-1",
            bytes: Array("version: 1\n# caf".utf8) + [0xE9] + Array(" and ".utf8) + [0xFC]
                + Array("\napps: {}\n".utf8),
            says: """
                jobs.yaml:2:6: error: this is not UTF-8: the byte 0xE9 at offset 16
                    2 | # caf� and �
                      |      ^
                help: if the file is Latin-1 (there it is 'é'), save it as UTF-8: `iconv -f LATIN1 -t UTF-8`
                jobs.yaml:2:12: error: this is not UTF-8: the byte 0xFC at offset 22
                    2 | # caf� and �
                      |            ^
                help: if the file is Latin-1 (there it is 'ü'), save it as UTF-8: `iconv -f LATIN1 -t UTF-8`
                """),
        Case(
            "a character that is cut off",
            bytes: Array("version: 1\n# ".utf8) + [0xE2, 0x82],
            says: """
                jobs.yaml:2:3: error: this is not UTF-8: the byte 0xE2 at offset 13
                    2 | # �
                      |   ^
                help: if the file is Latin-1 (there it is 'â'), save it as UTF-8: `iconv -f LATIN1 -t UTF-8`
                jobs.yaml:2:4: error: this is not UTF-8: the byte 0x82 at offset 14
                    2 | # �
                      |    ^
                help: save the file as UTF-8
                """),
        Case(
            "UTF-16 with its mark",
            bytes: [
                0xFF, 0xFE, 0x76, 0x00, 0x65, 0x00, 0x72, 0x00, 0x73, 0x00, 0x69, 0x00, 0x6F, 0x00, 0x6E,
                0x00, 0x3A, 0x00, 0x20, 0x00, 0x31, 0x00, 0x0A, 0x00,
            ],
            says: """
                jobs.yaml:1:1: error: the file is UTF-16, but a manifest is UTF-8
                help: save the file as UTF-8: `iconv -f UTF-16 -t UTF-8`
                """),
        Case(
            "UTF-16 without its mark",
            bytes: [
                0x00, 0x76, 0x00, 0x65, 0x00, 0x72, 0x00, 0x73, 0x00, 0x69, 0x00, 0x6F, 0x00, 0x6E, 0x00,
                0x3A, 0x00, 0x20, 0x00, 0x31, 0x00, 0x0A,
            ],
            says: """
                jobs.yaml:1:1: error: the file is UTF-16, but a manifest is UTF-8
                help: save the file as UTF-8: `iconv -f UTF-16 -t UTF-8`
                """),
        Case(
            "a program",
            bytes: [0x7F] + Array("ELF".utf8) + [2, 1, 1] + [UInt8](repeating: 0, count: 64),
            says: """
                jobs.yaml:1:1: error: this is not text: it is full of bytes that text does not contain
                help: name a manifest: text in YAML, such as `jobs.yaml`
                """),
        Case(
            "a NUL",
            bytes: Array("version: 1\napps: a".utf8) + [0x00] + Array("b\n".utf8),
            says: #"""
                jobs.yaml:2:8: error: a NUL byte in the text
                    2 | apps: a<U+0000>b
                      |        ^~~~~~~~
                help: delete it
                """#),
        Case(
            "control characters in two lines",
            bytes: Array("version: 1\n# ".utf8) + [0x1B] + Array("[31m\napps: ".utf8) + [0x07]
                + Array("\n".utf8),
            says: #"""
                jobs.yaml:2:3: error: a control character, U+001B
                    2 | # <U+001B>[31m
                      |   ^~~~~~~~
                help: delete it; in double quotes it can be written as `\x1B`
                jobs.yaml:3:7: error: a control character, U+0007
                    3 | apps: <U+0007>
                      |       ^~~~~~~~
                help: delete it; in double quotes it can be written as `\x07`
                """#),
        Case(
            "a line separator",
            bytes: Array("version: 1\n# a".utf8) + [0xE2, 0x80, 0xA8] + Array("b\napps: {}\n".utf8),
            says: #"""
                jobs.yaml:2:4: error: an invisible line separator, U+2028
                    2 | # a<U+2028>b
                      |    ^~~~~~~~
                help: delete it; in double quotes it can be written as `\u2028`
                """#),
        Case(
            "a byte order mark in the midst",
            bytes: Array("version: 1\n".utf8) + [0xEF, 0xBB, 0xBF] + Array("apps: {}\n".utf8),
            says: """
                jobs.yaml:2:1: error: an invisible byte order mark, U+FEFF, in the middle of the text
                    2 | <U+FEFF>apps: {}
                      | ^~~~~~~~
                help: delete it
                """),
    ]
}
