import CCommandKit
import Foundation
import Glibc
import TestSupport
import Testing

/// Files of `env_file`: their meaning, which are refused, and that no message shows their content.
@Suite(.timeLimit(.minutes(20))) struct VariableFilesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file with this text; returns its path.
    @discardableResult
    private func file(_ text: String, as name: String = "env") throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        return folder.path + "/" + name
    }

    /// The variables of a task with these settings, or the sentence that refuses it.
    private func variables(_ settings: String, app: String = "{}") -> (
        values: [String: String], refusal: String?
    ) {
        let common = command_app_settings_read(app)
        defer { command_app_settings_free(common) }
        var read = command_settings()
        var base: [UnsafeMutablePointer<CChar>?] = [strdup("HOME=" + folder.path), nil]
        defer { free(base[0]) }
        defer { command_settings_free(&read) }
        if let sentence = command_settings_read(&read, settings, common)
            ?? command_variable_files_read(&read, &base)
        {
            defer { free(sentence) }
            return ([:], String(cString: sentence))
        }
        var values: [String: String] = [:]
        for variable in UnsafeBufferPointer(start: read.variables, count: read.variable_count) {
            let name = String(cString: variable.name)
            values[name] = String(cString: variable.value)
        }
        // Each variable occurs once.
        #expect(values.count == read.variable_count)
        return (values, nil)
    }

    private func variables(in path: String) -> (values: [String: String], refusal: String?) {
        variables(#"{"run":"x","env_file":"\#(path)"}"#)
    }

    /// As in systemd's `load_env_file`, except for `export`.
    @Test(
        arguments: [
            ("", [:]), ("\n \t\n\r\n", [:]), ("# A=1\n  ; B=2\n#\\\nC=3\n", ["C": "3"]),
            ("A=1", ["A": "1"]), ("A=1\r\nB=2\r\n", ["A": "1", "B": "2"]), ("A=\nB=", ["A": "", "B": ""]),
            (" A \t= \t x y \t\n", ["A": "x y"]), ("A==b=c", ["A": "=b=c"]), ("_a1=x", ["_a1": "x"]),
            ("A=1\nA=2\nA=1", ["A": "1"]), ("A=1\nA=", ["A": ""]),
            // Characters that end a bare value, and others that do not.
            ("A=x # y", ["A": "x # y"]), ("A=#x", ["A": "#x"]), ("A=$B ${C} `d` *", ["A": "$B ${C} `d` *"]),
            (#"A=it's "so""#, ["A": #"it's "so""#]), ("A=ä ö", ["A": "ä ö"]),
            // A backslash keeps the next character, except a newline.
            (#"A=\a\\\n\ "#, ["A": "a\\n "]), ("A=x\\\n  y\\\nz", ["A": "x  yz"]),
            ("A=x  \\\n  y  ", ["A": "x    y"]), ("A=\\\n x\n", ["A": " x"]), ("A=x\\", ["A": "x"]),
            ("A=\\\"x\\\"", ["A": "\"x\""]), ("A=x\\\n\nB=y", ["A": "x", "B": "y"]),
            // A single quote has no escapes, quotes may span lines, and the text after them is appended.
            ("A=' x $y \\n # '  \n", ["A": " x $y \\n # "]), ("A='x\ny'", ["A": "x\ny"]),
            (#"A=" x \" \\ \` \$ \n \' ""#, ["A": #" x " \ ` $ \n \' "#]),
            ("A=\"x\\\n y\n\"", ["A": "x y\n"]),
            (#"A="x" 'y'  z q "#, ["A": "xyz q"]), ("A='x'#y", ["A": "x#y"]),
            ("A=\"\"\nB=''", ["A": "", "B": ""]),
            (#"A='x\'"#, ["A": "x\\"]), ("A=\"\r\n\"", ["A": "\r\n"]),
            // Shells and dotenv support `export`, systemd does not.
            ("export A=1\n\texport \t B = 2", ["A": "1", "B": "2"]), ("export=1", ["export": "1"]),
            ("export =1", ["export": "1"]), ("exportA=1", ["exportA": "1"]),
        ] as [(String, [String: String])])
    func `a text means what it means to systemd`(text: String, values: [String: String]) throws {
        let read = variables(in: try file(text))
        #expect(read.refusal == nil && read.values == values)
    }

    static let notAnAssignment = "this line is not NAME=VALUE"
    static let noName = "what is before the = is not the name of a variable"

    @Test(arguments: [
        ("hunter2", 1, notAnAssignment), ("A=1\n\nhunter2\n", 3, notAnAssignment),
        ("A=x\\\ny\nexport hunter2\n", 3, notAnAssignment), ("A=x\\\r\nhunter2", 2, notAnAssignment),
        ("KEY=-----BEGIN\nhunter2\n", 2, notAnAssignment), ("#c\n=hunter2", 2, noName),
        ("hunter2-a=1", 1, noName), ("2hunter2=", 1, noName), ("hunter 2=x", 1, noName),
        ("ähunter2=1", 1, noName), ("\u{FEFF}A=hunter2", 1, "a byte order mark is here"),
        ("export export A=hunter2", 1, noName),
        ("A=1\nB='hunter2\nC=3\n", 2, "the quote that begins here does not end"),
        ("A='x\ny' \"hunter2\\\"\n", 2, "the quote that begins here does not end"),
        ("A=\"hunter2\\", 1, "the quote that begins here does not end"),
        ("A=1\nB=hunter2\0x\n", 2, "a NUL character is here"),
    ])
    func `what is not an assignment is refused with its place, and not shown`(
        text: String, line: Int, words: String
    ) throws {
        let path = try file(text)
        let refusal = try #require(variables(in: path).refusal)
        #expect(refusal.hasPrefix("\(path):\(line): \(words)"), "\(refusal)")
        #expect(!refusal.contains("hunter2") && refusal.hasSuffix("."))
    }

    @Test func `later files win over earlier ones, and env over all`() throws {
        let settings =
            #"{"run":"x","env_file":["\#(folder.path)/c","-\#(folder.path)/none"],"env":{"D":"env"}}"#
        let app = #"{"env_file":["\#(folder.path)/a","~/b"],"env":{"E":"env"}}"#
        try file("A=a\nB=a\nC=a\nD=a\nE=a", as: "a")
        try file("B=b\nC=b\nC=bb", as: "b")
        try file("C=c\nE=c", as: "c")
        let read = variables(settings, app: app)
        #expect(read.values == ["A": "a", "B": "b", "C": "c", "D": "env", "E": "env"], "\(read)")
        #expect(variables(#"{"run":"x","env_file":[]}"#, app: app).values["C"] == "bb")
    }

    @Test func `what is no readable file of variables is refused, and nothing waits for it`() throws {
        let path = folder.path
        try #require(mkfifo(path + "/pipe", 0o600) == 0)
        try #require(symlink("loop", path + "/loop") == 0)
        try file("A=" + String(repeating: "x", count: 1 << 20), as: "large")
        try #require(chmod(try file("A=1", as: "open"), 0o666) == 0)
        for (name, words) in [
            (
                path + "/none",
                "the file is not there. Make it, correct \"env_file\", or write a - before the path"
            ),
            (path + "/large/none", "the file is not there."), (path, "this is not a regular file."),
            (path + "/pipe", "this is not a regular file."), ("/dev/zero", "this is not a regular file."),
            ("-" + path + "/pipe", "this is not a regular file."),
            (path + "/open", "everybody may write the file. Forbid that: chmod o-w."),
            (path + "/large", "the file has more than 1 MiB."),
            ("-" + path + "/loop", "can't read the file: "),
            ("/proc/self/environ", "a NUL character is here"),
        ] {
            let refusal = try #require(variables(in: name).refusal, "\(name)")
            let place = name.hasPrefix("-") ? String(name.dropFirst()) : name
            #expect(refusal.hasPrefix(place + ":") && refusal.contains(words), "\(refusal)")
        }
        #expect(variables(in: "-" + path + "/none").refusal == nil)
        #expect(variables(in: "-" + path + "/large/none").refusal == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every file"))
    func `a file that the user may not read says as whom it was tried`() throws {
        let path = try file("A=hunter2")
        try #require(chmod(path, 0) == 0)
        for written in [path, "-" + path] {
            let refusal = try #require(variables(in: written).refusal)
            #expect(
                refusal.contains(
                    "(\(geteuid())) can't read the file: Permission denied. Give it to that user"))
        }
    }

    @Test func `a file is read at each run, before its command starts`() async throws {
        let commands = try Commands()
        var settings = Commands.Settings("echo $A; touch \(folder.path)/started")
        settings.env_file = [try file("A=one")]
        #expect(try await commands.run(settings).text == "one\n")
        try file("A=two")
        #expect(try await commands.run(settings).text == "two\n")
        try FileManager.default.removeItem(atPath: folder.path + "/started")
        try file("A=two\nhunter2")
        let refused = try await commands.run(settings)
        #expect(refused.outcome?.fault == COMMAND_BAD_FILE && refused.all.isEmpty)
        #expect(!refused.message.contains("hunter2") && refused.message.contains("/env:2: "))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/started"))
    }

    @Test func `no message shows a value of a file`() async throws {
        let commands = try Commands()
        var settings = Commands.Settings(arguments: ["no-such-program"])
        settings.env_file = [try file("PATH=/hunter2\nHOME=/hunter2")]
        let program = try await commands.run(settings)
        #expect(program.outcome?.fault == COMMAND_NOT_FOUND)
        #expect(program.message.contains("(PATH is that of \"env_file\")"), "\(program.message)")
        settings = .init(arguments: ["/bin/true"])
        (settings.env_file, settings.cwd) = ([folder.path + "/env"], "~/x")
        let home = try await commands.run(settings)
        #expect(
            home.outcome?.fault == COMMAND_NO_FOLDER && home.message.contains("folder \"~/x\" is not there"))
        #expect(!(program.message + home.message).contains("hunter2"))
    }

    @Test func `more than a command can be given is a sentence`() async throws {
        var settings = Commands.Settings("true")
        settings.env_file = [try file("A=" + String(repeating: "x", count: 200_000))]
        let heard = try await Commands().run(settings)
        #expect(heard.outcome?.fault == COMMAND_NOT_SPAWNED)
        #expect(heard.message.contains("its arguments and variables are larger than the system takes"))
        // So many names take no noticeable time.
        let names = (0..<50_000).map { "A\($0)=" }.joined(separator: "\n")
        #expect(variables(in: try file(names)).values.count == 50_000)
    }
}
