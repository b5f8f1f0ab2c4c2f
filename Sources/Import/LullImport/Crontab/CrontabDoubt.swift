/// Something that cron accepts, but that its writer hardly meant.
enum CrontabDoubt: Equatable {
    /// `NAME=` with nothing behind it.
    case emptySetting(String, CronKind)
    /// A name that no shell hands to a program.
    case oddName(String)
    /// `PATH=$PATH:/opt/bin`.
    case notExpanded(name: String, value: String)
    /// A setting of which cron reads the beginning.
    case cutShort(String)
    /// A file with the line ends of Windows.
    case carriageReturn
    /// Six fields, as schedulers with seconds or years have them.
    case sixthField(String)
    /// A `%` within quotes.
    case cutInQuote(String)
    /// A `%` in the format of `date`.
    case cutInDate(String)

    init?(_ name: String, _ value: String, _ bytes: ArraySlice<UInt8>, by cron: CronKind) {
        let isBare = !bytes.contains(UInt8(ascii: "'")) && !bytes.contains(UInt8(ascii: "\""))
        if !Self.isName(name) {
            self = .oddName(name)
        } else if value.isEmpty, isBare, cron == .debian {
            self = .emptySetting(name, cron)
        } else if Self.hasReference(value) {
            self = .notExpanded(name: name, value: value)
        } else {
            return nil
        }
    }

    /// `command`: of a line without a user's column.
    init?(sixthField command: String, on machine: ImportMachine) {
        let word = CrontabLine.split(command).first
        let marks = word.unicodeScalars.allSatisfy { "0123456789*?,-/#LW".unicodeScalars.contains($0) }
        let isField = marks && word.unicodeScalars.contains { "0123456789*?".unicodeScalars.contains($0) }
        guard isField || Self.areDayNames(word) && !machine.isProgram(word) else { return nil }
        self = .sixthField(word)
    }

    /// `Mon-Fri`, `SUN`, `jan,jul`.
    private static func areDayNames(_ word: String) -> Bool {
        let parts = word.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "," }
        return parts.allSatisfy { CronGrammar.names.contains(String($0)) }
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            $0 == "_" || $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
    }

    /// `$NAME` or `${NAME}`.
    private static func hasReference(_ value: String) -> Bool {
        zip(value.unicodeScalars, value.unicodeScalars.dropFirst()).contains { sign, next in
            sign == "$" && (next == "_" || next == "{" || next.isASCII && next.properties.isAlphabetic)
        }
    }

    var message: String {
        switch self {
        case .emptySetting(let name, let cron):
            "\(cron.name) can't read `\(name)=` without a value, and skips the whole file"
        case .oddName(""): "a setting without a name reaches no program, and is left out"
        case .oddName(let name):
            "a setting named '\(name.prefix(60))' reaches no program through a shell, and is left out"
        case .notExpanded(let name, let value):
            "cron expands nothing in a setting: \(name) is '\(value.prefix(60))' to the letter"
        case .cutShort(let name): "cron cuts such a long line: \(name) has only the beginning of its value"
        case .carriageReturn:
            "the line ends in a carriage return, which cron hands to the command; here it is left out"
        case .sixthField("*"):
            "the command begins with '*', a sixth field: cron has five, and rejects the line"
        case .sixthField(let word):
            "the command begins with '\(word.prefix(60))', like a sixth field: cron has five, without seconds and years"
        case .cutInQuote(let command):
            "cron ends the command at the first `%`, here within quotes: the shell gets `\(command.suffix(60))`"
        case .cutInDate(let command):
            "cron ends the command at the first `%`, here within the format of `date`: the shell gets `\(command.suffix(60))`"
        }
    }

    var fix: String {
        switch self {
        case .emptySetting(let name, _): "write `\(name)=\"\"`"
        case .oddName: "write a name of letters, digits and `_`"
        case .notExpanded(let name, _): "write the whole value of \(name), without `$`"
        case .cutShort: "set it in a script"
        case .carriageReturn: "give the file Unix line ends: `sed -i 's/\\r$//' FILE`"
        case .sixthField: "leave out the seconds before, or the year after, the five fields"
        case .cutInQuote, .cutInDate: "write `\\%` for a per cent sign"
        }
    }
}
