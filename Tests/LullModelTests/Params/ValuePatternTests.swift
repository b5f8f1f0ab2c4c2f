import LullModel
import Testing

/// The regular expressions of parameters.
struct ValuePatternTests {
    @Test(
        arguments: [
            (
                "[0-9]{4}-[0-9]{2}-[0-9]{2}", ["2026-11-30"],
                ["", "2026-11-3", "2026-11-300", "x2026-11-30", "2026-11-30\n"]
            ),
            ("^(info|debug)$", ["info", "debug"], ["inf", "infodebug", "Info"]),
            ("a|b*|c+d?", ["", "a", "bbb", "c", "ccd"], ["ab", "d", "cdd"]),
            ("(ab){2,3}", ["abab", "ababab"], ["ab", "abababab"]),
            ("x{0}y{2,}", ["yy", "yyyy"], ["y", "xyy"]),
            (#"\d+\.\d+"#, ["1.25"], ["1x25", "1."]), (#"[\w-]+"#, ["a-b_9"], ["a b", "ä"]),
            ("[]a]", ["]", "a"], ["b"]), ("[^]a]", ["b"], ["]", "a"]), ("[a-c-]+", ["a-c"], ["d"]),
            ("[[:alpha:]_]+", ["a_B"], ["1"]), (".", ["ä", "😀"], ["", "ab"]),
            ("(?:a|)b", ["ab", "b"], ["aab"]),
            ("a**", ["", "aaa"], ["b"]), ("(a?){3}", ["", "aaa"], ["aaaa"]), (#"\$\^\{"#, ["$^{"], ["$"]),
            (#"[\]\\a]"#, ["]", "\\"], ["b"]), ("()", [""], ["a"]), ("(|a)+", ["", "aa"], ["b"]),
        ] as [(String, [String], [String])])
    func `a value matches as a whole or not at all`(pattern: String, fits: [String], others: [String]) throws
    {
        let pattern = try ValuePattern(pattern)
        for text in fits { #expect(pattern.fits(text), "\(text)") }
        for text in others { #expect(!pattern.fits(text), "\(text)") }
    }

    /// Each would take an engine that goes back longer than the age of the universe.
    @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(a?){200}a{200}b", "([a-z]+)+b", "(.*)*(.*)*b"])
    func `no value keeps it busy`(pattern: String) throws {
        let pattern = try ValuePattern(pattern)
        #expect(!pattern.fits(String(repeating: "a", count: TaskParam.valueBytes)))
    }

    @Test(
        arguments: [
            ("", .empty), ("(a", .unclosedGroup), ("a)", .strayParenthesis), ("[a", .unclosedBracket),
            ("[z-a]", .reversedRange), ("[[:foo:]]", .badClass), ("[[.a.]]", .badClass),
            (#"[\D]"#, .badClass),
            ("*a", .nothingToRepeat), ("{2}", .nothingToRepeat), ("a|+", .nothingToRepeat), ("a{", .badCount),
            ("a{2,1}", .badCount), ("a{,2}", .badCount), ("a{1000}{1000}", .tooMany), ("a{9999}", .tooMany),
            ("((a{100}){100}){100}", .tooMany), (#"(a)\1"#, .backReference), ("(?=a)", .group),
            ("(?i)a", .group),
            ("a^b", .anchor), ("a$b", .anchor), ("(^a)", .anchor), ("a\\", .unfinishedEscape),
            (#"\b"#, .unknownEscape("b")), (String(repeating: "(", count: 100), .tooMany),
            ("([^" + String(repeating: "abcde", count: 85) + "]?){600}", .tooMany),
            (String(repeating: "a", count: 1025), .tooLong(bytes: 1025)),
        ] as [(String, ValuePattern.Fault)])
    func `what is no expression says why`(pattern: String, fault: ValuePattern.Fault) {
        #expect(throws: fault) { try ValuePattern(pattern) }
    }
}
