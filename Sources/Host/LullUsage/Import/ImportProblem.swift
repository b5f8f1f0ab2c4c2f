public import LullModel

/// An error in one line of a file of uses, with its place; the other lines are still read.
public struct ImportProblem: Error, Sendable, Equatable {
    public enum Fault: Sendable, Equatable {
        case tooLong(limit: Int)
        /// A line of a log without a time; with the expected format.
        case noTime(ImportTime)
        /// With the text found in place of the time, and the expected format.
        case wrongTime(found: String, ImportTime)
        case future(WallTime)
        case early(WallTime)
        /// None of these fields is there.
        case noField([String])
        /// The record ends before the column of the time.
        case fewColumns(Int, column: Int)
        case openQuote
        case afterQuote
        case notAnObject
        /// Not JSON; with the sentence that says why.
        case json(String)
        case app(String)
        case offset(String)
    }

    public var path: String
    public var line: Int
    /// In bytes, from 1.
    public var column: Int
    public var fault: Fault

    /// The text made safe for a terminal: truncated, and without control characters.
    static func shown(_ bytes: some Sequence<UInt8>, limit: Int = 60) -> String {
        let text = String(decoding: Array(bytes.prefix(limit * 4)), as: UTF8.self)
        let safe = String(
            text.unicodeScalars.map { scalar -> Character in
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                default: Character(scalar)
                }
            })
        return safe.count <= limit ? safe : safe.prefix(limit - 1) + "…"
    }
}

extension ImportProblem: CustomStringConvertible {
    public var description: String { sentence + " " + fix }

    /// The place and the error, without the remedy.
    public var sentence: String { "\(path):\(line):\(column): error: \(message)." }

    /// The error, as the beginning of a sentence.
    public var message: String {
        switch fault {
        case .tooLong(let limit): "the line is longer than \(limit) bytes"
        case .noTime(let time): "there is no time here: expected \(time.expected)"
        case .wrongTime(let found, let time): "'\(found)' is not a time: expected \(time.expected)"
        case .future(let time): "\(Self.text(time)) is in the future"
        case .early(let time): "\(Self.text(time)) is before 2000"
        case .noField(let names):
            names.count == 1
                ? "there is no field '\(names[0])'"
                : "there is none of the fields " + names.map { "'\($0)'" }.joined(separator: ", ")
        case .fewColumns(let count, let column):
            "there \(count == 1 ? "is 1 column" : "are \(count) columns"), but the time is in column \(column)"
        case .openQuote: "the quotation mark that opens here is not closed"
        case .afterQuote: "something follows the closing quotation mark"
        case .notAnObject: "a line holds one JSON object"
        case .json(let sentence): sentence
        case .app(let text): "'\(text)' is not an app's identifier"
        case .offset(let text): "'\(text)' is not an offset"
        }
    }

    /// The remedy, as a sentence.
    public var fix: String {
        switch fault {
        case .tooLong: "Is this text with one use a line? Give its format with `--format`."
        case .noTime: "Say with --time how it is written, or with --match which lines count."
        case .wrongTime: "Correct it, or say with --time how it is written."
        case .future: "Check the clock that wrote it, and the zone (--zone) if no offset is written."
        case .early: "Correct it, or say with --time which unit it has (unix or unix_ms)."
        case .noField: "Say with --field which one holds the time, or with --match which lines count."
        case .fewColumns: "Complete the record, or say with --column where the time is."
        case .openQuote: "Close it, and write a quotation mark within a field as two."
        case .afterQuote: "Put a comma there, and write a quotation mark within a field as two."
        case .notAnObject: "Write it like {\"time\":\"2026-11-21T08:00:00Z\"}."
        case .json: "Write one JSON object a line."
        case .app:
            "Write a reverse-DNS name like com.example.ColorFeed, or put one before it: --prefix com.example."
        case .offset: "Write the minutes east of UTC, from -1440 to 1440."
        }
    }

    /// RFC 3339 in UTC, to the second.
    private static func text(_ time: WallTime) -> String {
        let local = LocalTime(secondsSinceEpoch: time.seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(local.year)-\(two(local.month))-\(two(local.day))T\(two(local.hour)):\(two(local.minute)):"
            + "\(two(local.second))Z"
    }
}
