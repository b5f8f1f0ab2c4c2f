private import Foundation
import LullModel

/// A message of the journal, as `journalctl --output=json` prints it.
struct JournalEntry: Equatable {
    let cursor: String
    let time: WallTime
    let message: [UInt8]

    private struct Line: Decodable {
        let cursor: String
        let microseconds: String
        let message: Message?

        enum CodingKeys: String, CodingKey {
            case cursor = "__CURSOR"
            case microseconds = "__REALTIME_TIMESTAMP"
            case message = "MESSAGE"
        }
    }

    /// Text, or the bytes of what is no text, or a list of messages.
    private enum Message: Decodable {
        case bytes([UInt8])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .bytes(Array(text.utf8))
            } else if let bytes = try? container.decode([UInt8].self) {
                self = .bytes(bytes)
            } else {
                let texts = (try? container.decode([String].self)) ?? []
                self = .bytes(Array(texts.joined(separator: "\n").utf8))
            }
        }
    }

    /// Nil: it is none.
    init?(json: ArraySlice<UInt8>) {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(json)),
            let microseconds = Int64(line.microseconds), microseconds >= 0
        else { return nil }
        cursor = line.cursor
        time = WallTime(milliseconds: microseconds / 1000)
        if case .bytes(let bytes) = line.message { message = bytes } else { message = [] }
    }
}
