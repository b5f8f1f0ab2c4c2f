import LullModel
import Testing

/// The parameters of a task: which values they take, and what is said of others.
struct TaskParamTests {
    private static func task() throws -> TaskDefinition {
        let app = try #require(AppIdentifier("com.example.A"))
        var task = TaskDefinition(
            identifier: try #require(TaskIdentifier("com.example.A.report")), app: app, kind: .processing)
        var day = TaskParam(name: "day", value: "yesterday")
        day.match = "yesterday|[0-9]{4}-[0-9]{2}-[0-9]{2}"
        var level = TaskParam(name: "level", value: "info")
        level.choices = ["info", "debug"]
        task.params = [day, level, TaskParam(name: "note", value: "")]
        return task
    }

    @Test func `a run has the defaults and what was given in their place`() throws {
        let task = try Self.task()
        #expect(task.params(given: nil) == ["day": "yesterday", "level": "info", "note": ""])
        #expect(
            task.params(given: ["day": "2026-11-30", "note": "a b"])
                == ["day": "2026-11-30", "level": "info", "note": "a b"])
        // Of a request from before an edit of the manifest.
        #expect(task.params(given: ["day": "soon", "gone": "x"])?["day"] == "yesterday")
        var plain = task
        plain.params = nil
        #expect(plain.params(given: ["day": "2026-11-30"]) == nil)
        #expect(task.paramsToGive(again: ["day": "2026-11-30", "level": "info"]) == ["day": "2026-11-30"])
        #expect(task.paramsToGive(again: task.params(given: nil)) == nil)
    }

    @Test(
        arguments: [
            (
                ["day": "30.11.2026"],
                "'30.11.2026' is no value for the parameter `day`, which must match 'yesterday|[0-9]{4}-[0-9]{2}-[0-9]{2}' "
                    + "as a whole. For example: `--param day=yesterday`."
            ),
            (
                ["level": "trace"],
                "'trace' is no value for the parameter `level`, which must be 'info' or 'debug'. For example: "
                    + "`--param level=info`."
            ),
            (
                ["dya": "x"],
                "`dya` is no parameter of com.example.A.report. Did you mean `day`? It has `day`, `level` and `note`, for "
                    + "example `--param day=yesterday`."
            ),
            (
                ["note": "a\nb"],
                "The value of the parameter `note` has the control character U+000A, and a value is one line of text. It "
                    + "takes any text. For example: `--param note=VALUE`."
            ),
            (
                ["note": "\u{FFFD}"],
                "The value of the parameter `note` is not UTF-8, or has the character U+FFFD. It takes any text. For "
                    + "example: `--param note=VALUE`."
            ),
            (
                ["note": String(repeating: "x", count: 4097)],
                "The value of the parameter `note` has 4097 bytes, and at most 4096 are taken. It takes any text. For "
                    + "example: `--param note=VALUE`."
            ),
        ] as [([String: String], String)])
    func `what it does not take is refused with the name, the rule and an example`(
        given: [String: String], sentence: String
    ) throws {
        #expect(try Self.task().refusal(ofParams: given) == sentence)
    }

    @Test func `a task without parameters says how to declare one`() throws {
        var task = try Self.task()
        task.params = nil
        #expect(
            task.refusal(ofParams: ["day": "x"])
                == "com.example.A.report takes no parameters. Declare them in its `params`, such as "
                + "`params: { day: DEFAULT }`.")
        #expect(task.refusal(ofParams: [:]) == nil && task.refusal(ofParams: nil) == nil)
    }

    /// Two spellings of the same letters are equal for Swift, and two values for a command.
    @Test func `a value is compared by its bytes`() throws {
        var task = try Self.task()
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        task.params?[1].choices = [composed]
        #expect(task.refusal(ofParams: ["level": decomposed]) != nil)
        #expect(task.refusal(ofParams: ["level": composed]) == nil)
        task.params?[2].value = composed
        #expect(task.paramsToGive(again: ["note": decomposed]) != nil)
        #expect(task.paramsToGive(again: ["note": composed]) == nil)
    }

    @Test func `all values together have a limit`() throws {
        var task = try Self.task()
        task.params = (0..<5).map { TaskParam(name: "p\($0)", value: "") }
        let given = Dictionary(
            uniqueKeysWithValues: (0..<5).map { ("p\($0)", String(repeating: "x", count: 4000)) })
        let refusal = try #require(task.refusal(ofParams: given))
        #expect(refusal.contains("20000 bytes together, and at most 16384"))
    }

    @Test(arguments: ["\0", "\u{1B}[31m", "\u{7F}", "\u{85}", "\t", "\u{2028}", "\r"])
    func `no control character gets into a value`(mark: String) throws {
        let refusal = try #require(try Self.task().refusal(ofParams: ["note": "a\(mark)b"]))
        #expect(!refusal.contains(mark))
    }

    @Test func `names are words of a shell and of a form`() {
        for name in ["a", "dry-run", "Day_2", String(repeating: "n", count: 64)] {
            #expect(TaskParam.isName(name))
        }
        let odd = ["", "1a", "_a", "-a", "a b", "a=b", "ä", "a\n", "a.b", String(repeating: "n", count: 65)]
        for name in odd { #expect(!TaskParam.isName(name), "\(name)") }
        #expect(TaskParam.variable(for: "dry-run") == "LULL_PARAM_DRY_RUN")
        #expect(TaskParam.variable(for: "path") == "LULL_PARAM_PATH")
    }

    @Test(arguments: [
        ("day=2026-11-30", "day", "2026-11-30"), ("note=a=b", "note", "a=b"), ("note=", "note", ""),
        ("note=\u{301}x", "note", "\u{301}x"), ("note=\r\n", "note", "\r\n"),
    ])
    func `a name ends at the first equals sign, whatever follows`(text: String, name: String, value: String) {
        let parts = TaskParam.nameAndValue(in: text)
        #expect(parts?.name == name)
        #expect(parts.map { Array($0.value.utf8) } == Array(value.utf8))
    }

    @Test(arguments: ["", "day", "=x", "="])
    func `a text without a name or an equals sign gives no value`(text: String) {
        #expect(TaskParam.nameAndValue(in: text) == nil)
    }

    @Test func `values are shown as a shell would take them, on one line`() {
        let values = ["day": "2026-11-30", "note": "it's two words", "empty": "", "odd": "a\u{1B}b\u{202E}"]
        #expect(
            TaskParam.words(values) == "day=2026-11-30 empty='' note='it'\\''s two words' odd='a␛b\u{FFFD}'")
    }
}
