import Foundation

/// The `settings` of one task: the command line, and how it is run.
///
/// A `run` that is a text goes to the shell; a list is run as it stands, with no shell between.
public struct CommandSettings: Sendable, Equatable {
    public enum Line: Sendable, Equatable {
        case shell(String)
        case arguments([String])
    }

    public var run: Line
    public var shell = "/bin/sh"
    /// Added to the small environment that every command gets.
    public var environment: [String: String] = [:]
    /// Where it runs; `~`, also before a `/`, is the `HOME` that the command will see.
    public var folder: String?
    /// What the command reads on its standard input; nothing when nil.
    public var input: String?
    public var success: Set<Int32> = [0]
    /// How long a command has after SIGTERM, until SIGKILL.
    public var grace = Duration.seconds(3)

    public init(run: Line) {
        self.run = run
    }

    /// Reads a task's settings; every key that is wrong or unknown is refused with a sentence.
    ///
    /// `app`: the app's, which hold for the tasks that do not say otherwise; of `env` so for each variable.
    public init(json: String, app: String = "{}") throws(CommandError) {
        let keys = try Keys.read(json)
        let common = try Keys.read(app)
        guard let run = keys.run ?? common.run else {
            throw .settings(
                "\"run\" is missing. Write a command, as `run: backup --all`, or a list of arguments.")
        }
        self.run = run.line
        shell = keys.shell ?? common.shell ?? shell
        environment = (common.env ?? [:]).merging(keys.env ?? [:]) { $1 }
        folder = keys.cwd ?? common.cwd
        input = keys.stdin ?? common.stdin
        success = (keys.success ?? common.success).map(Set.init) ?? success
        grace = (keys.grace_seconds ?? common.grace_seconds).map { .seconds($0) } ?? grace
        try check()
    }

    private func check() throws(CommandError) {
        switch run {
        case .shell(let text) where text.allSatisfy(\.isWhitespace):
            throw .settings("\"run\" is empty. Write the command there.")
        case .arguments(let list) where list.first?.isEmpty ?? true:
            throw .settings("\"run\" names no program. Write it as the first item of the list.")
        case .shell(let text) where text.contains("\0"):
            throw .settings("\"run\" holds a NUL character, which no command line can.")
        case .arguments(let list) where list.contains { $0.contains("\0") }:
            throw .settings("\"run\" holds a NUL character, which no command line can.")
        case .shell, .arguments: break
        }
        for (name, value) in environment
        where name.isEmpty || name.contains("=") || (name + value).contains("\0") {
            throw .settings("\"env\" holds \"\(name)\", which can't be the name or value of a variable.")
        }
        guard !success.isEmpty, success.allSatisfy({ 0...255 ~= $0 }) else {
            throw .settings("\"success\" is not a list of exit codes between 0 and 255.")
        }
        guard grace >= .zero, grace <= .seconds(3600) else {
            throw .settings("\"grace_seconds\" is not between 0 and 3600.")
        }
    }
}

/// The keys as they stand in `jobs.yaml`.
private struct Keys: Decodable {
    var run: Run?
    var shell: String?
    var env: [String: String]?
    var cwd: String?
    var stdin: String?
    var success: [Int32]?
    var grace_seconds: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case run, shell, env, cwd, stdin, success, grace_seconds
    }

    /// What the worker adds to the settings of every app.
    private static let reserved = "lull"

    static func read(_ json: String) throws(CommandError) -> Keys {
        do {
            return try JSONDecoder().decode(Keys.self, from: Data(json.utf8))
        } catch let error as CommandError {
            throw error
        } catch let DecodingError.typeMismatch(_, context) where !context.codingPath.isEmpty {
            throw .settings("\"\(context.codingPath[0].stringValue)\" has the wrong type.")
        } catch let DecodingError.valueNotFound(_, context) where !context.codingPath.isEmpty {
            throw .settings("\"\(context.codingPath[0].stringValue)\" holds a null.")
        } catch {
            throw .settings("they are not a map of keys to values.")
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let all = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        if let stray = all.first(where: { CodingKeys(rawValue: $0) == nil && $0 != Self.reserved }) {
            let known = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError.settings("unknown key \"\(stray)\". Known are \(known).")
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Nothing is no command, where for the other keys it is the default.
        run = container.contains(.run) ? try container.decode(Run.self, forKey: .run) : nil
        shell = try container.decodeIfPresent(String.self, forKey: .shell)
        env = try container.decodeIfPresent([String: Variable].self, forKey: .env)?.mapValues(\.text)
        cwd = try container.decodeIfPresent(String.self, forKey: .cwd)
        stdin = try container.decodeIfPresent(String.self, forKey: .stdin)
        success = try container.decodeIfPresent([Int32].self, forKey: .success)
        grace_seconds = try container.decodeIfPresent(Double.self, forKey: .grace_seconds)
    }
}

private struct Run: Decodable {
    var line: CommandSettings.Line

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            line = .shell(text)
        } else {
            line = .arguments(try container.decode([Variable].self).map(\.text))
        }
    }
}

/// A text, or a number or boolean that stands where a text is meant: `JOBS: 4` is as good as `JOBS: "4"`.
private struct Variable: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let flag = try? container.decode(Bool.self) {
            text = String(flag)
        } else if let number = try? container.decode(Int.self) {
            text = String(number)
        } else {
            text = String(try container.decode(Double.self))
        }
    }
}
