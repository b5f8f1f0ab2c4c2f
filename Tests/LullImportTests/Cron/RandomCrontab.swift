import LullModel

/// A crontab drawn at random, with each of its forms and its writers' mistakes: the same lines with a user's column and without.
struct RandomCrontab {
    private(set) var lines: [(schedule: String?, text: String)] = []
    private var random: SeededGenerator
    /// The end of each line; the last line may have none.
    private let lineEnd: String
    private let hasEnd: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        lineEnd = Int.random(in: 0..<20, using: &random) == 0 ? "\r\n" : "\n"
        hasEnd = Int.random(in: 0..<16, using: &random) > 0
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: lines.append((nil, pick(["", "  ", "# a = b", " \t# 5 4 * * * x", "#", "\t"])))
            case 1...3: lines.append((nil, variable()))
            case 4...6: lines.append(("@reboot", command()))
            default: lines.append((schedule(), command()))
            }
        }
    }

    /// `user`: the column of a system crontab.
    func text(head: String = "", user: String?) -> String {
        let written = lines.map { line in
            guard let schedule = line.schedule else { return line.text }
            return schedule + (user.map { " " + $0 } ?? "") + (line.text.isEmpty ? "" : " " + line.text)
        }
        return head + written.joined(separator: lineEnd) + (hasEnd ? lineEnd : "")
    }

    private mutating func pick(_ texts: [String]) -> String {
        texts[Int.random(in: 0..<texts.count, using: &random)]
    }

    private mutating func isRare(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func variable() -> String {
        let name = pick(["V", "V1", "\"V2\"", "'V3'", " V4", "V_A"])
        let middle = pick(["=", " = ", "=  ", "\t="])
        let value = pick([
            "x", "x y", "x  ", "'x'", "\"x y \"", "' x'", "\"'x'\"", "'\"x\" '", "$HOME/x", "x # y", "a\"b\"",
            "\"\"", "''", "x=y", "\"a'b\"", "%d", "x\\", "é",
        ])
        let wrong = pick(["", "\"x\" y", "\"x", "'x'y", "'", "\"a\"b\"", "''x"])
        let long =
            isRare(30) ? String(repeating: "v", count: Int.random(in: 960...1_020, using: &random)) : ""
        return name + middle + (isRare(14) ? wrong : value + long)
    }

    private mutating func command() -> String {
        let parts = [
            "echo", " ", "  ", "a", "\\%", "\\\\", "\\\\%", "%", "%", "\\n", "'x'", "\"y z\"", "\\ ", "\\",
            "=", "*", "#", "é", "\t",
        ]
        var text = pick(["echo", "date +\\%F", "cat", "x", "true", "'", "a=b"])
        for _ in 0..<Int.random(in: 0...8, using: &random) { text += pick(parts) }
        if isRare(25) { text += String(repeating: "c", count: Int.random(in: 970...1_010, using: &random)) }
        if isRare(60) { return "" }
        return isRare(40) ? "* " + text : text
    }

    private mutating func schedule() -> String {
        let word = ["@daily", "@hourly", "@monthly", "@midnight", "@annually", "@weekly", "@yearly"]
        if isRare(5) { return isRare(8) ? pick(["@Daily", "@every", "@", "@reboots"]) : pick(word) }
        let fields = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)].map { field($0.0, $0.1) }
        return fields.dropLast(isRare(60) ? 1 : 0).joined(separator: pick([" ", " ", "\t", "  "]))
    }

    private mutating func field(_ low: Int, _ high: Int) -> String {
        var parts: [String] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let (a, b) = (
                Int.random(in: low...high, using: &random), Int.random(in: low...high, using: &random)
            )
            let odd = [
                "*5", "\(a).5", "*/", "*/0", "\(a)/2", "0x5", "\(high + 1)", "-1", "a", "mon-fri", "sun",
                "jan", "0\(a)", "*-3",
                "\(a)-", "5-\(high + 5)/30", "?", "L", "\(a)x", "~", "mon1", "é", "\(a)-\(b)-3", "JAN-mar/2",
                "",
            ]
            let usual = [
                "*", "*", "\(a)", "*/\(max(1, b))", "\(min(a, b))-\(max(a, b))", "\(a)-\(b)",
                "\(min(a, b))-\(max(a, b))/3",
            ]
            parts.append(isRare(40) ? pick(odd) : pick(usual))
        }
        return parts.joined(separator: ",")
    }
}
