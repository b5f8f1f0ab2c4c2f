import LullHistory
import LullModel

/// A message of the journal, as `journalctl --output=json` prints it.
struct JournalEntry: Equatable {
    let cursor: String
    let time: WallTime
    let message: [UInt8]

    /// Nil if the JSON is not a journal entry.
    init?(json: ArraySlice<UInt8>) {
        guard let members = try? JSONLine.members(Array(json)) else { return nil }
        func value(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }
        guard case .string(let cursor)? = value("__CURSOR"),
            case .string(let text)? = value("__REALTIME_TIMESTAMP"), let microseconds = Int64(text),
            microseconds >= 0
        else { return nil }
        self.cursor = cursor
        time = WallTime(milliseconds: microseconds / 1000)
        message = Self.bytes(of: value("MESSAGE"))
    }

    /// `journalctl` prints a message as a string, as a list of its bytes if it is not text, or as a list of strings.
    private static func bytes(of message: JSONValue?) -> [UInt8] {
        switch message {
        case .string(let text)?: return Array(text.utf8)
        case .array(let parts)?:
            let bytes = parts.compactMap { part -> UInt8? in
                if case .integer(let number) = part { UInt8(exactly: number) } else { nil }
            }
            let texts = parts.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return bytes.count == parts.count
                ? bytes : texts.count == parts.count ? Array(texts.joined(separator: "\n").utf8) : []
        default: return []
        }
    }
}
