import Foundation
public import LullModel

/// The output of a run as JSON: the list of its pieces, in their order.
///
/// Each is an object: `stream`, `time`, `start_byte`, `shared` and `text`. If the bytes are not UTF-8, the text is repaired and
/// `base64` has the bytes.
extension RunOutput {
    public var json: JSONValue {
        .array(
            pieces.map { piece in
                var members: [String: JSONValue] = [
                    "stream": .string(piece.stream.rawValue), "time": .string(piece.time.rfc3339),
                    "start_byte": .integer(Int64(piece.start)), "shared": .bool(piece.isShared),
                    "text": .string(String(decoding: piece.bytes, as: UTF8.self)),
                ]
                if String(validating: piece.bytes, as: UTF8.self) == nil {
                    members["base64"] = .string(Data(piece.bytes).base64EncodedString())
                }
                return .object(members)
            })
    }

    /// Nil if it is not such a list, or a piece begins before the previous one ends.
    public init?(json: JSONValue, of run: RunID) {
        guard case .array(let values) = json else { return nil }
        self.init(run: run, pieces: [])
        for value in values {
            guard let piece = Piece(json: value), piece.start >= total else { return nil }
            let chunk = piece.chunk(of: run, after: total)
            if !chunk.isEmpty { append(chunk) }
        }
    }

    /// The chunks to append to a history that has nothing of the run, so that it keeps the same output.
    public var chunks: [OutputChunk] {
        var end = 0
        return pieces.map { piece in
            defer { end = piece.end }
            return piece.chunk(of: run, after: end)
        }
    }
}

extension RunOutput.Piece {
    /// The highest offset; no run prints more.
    private static let most = 1 << 50

    fileprivate init?(json: JSONValue) {
        guard case .object(let members) = json, case .string(let name) = members["stream"],
            let stream = OutputChunk.Stream(rawValue: name), case .string(let time) = members["time"],
            let time = WallTime(rfc3339: time), case .integer(let start) = members["start_byte"],
            (0...Int64(Self.most)).contains(start), case .bool(let isShared) = members["shared"],
            case .string(let text) = members["text"]
        else { return nil }
        var bytes = Array(text.utf8)
        if let exact = members["base64"] {
            guard case .string(let base64) = exact, let data = Data(base64Encoded: base64) else { return nil }
            bytes = Array(data)
        }
        self.init(start: Int(start), stream: stream, time: time, isShared: isShared, bytes: bytes)
    }

    fileprivate func chunk(of run: RunID, after end: Int) -> OutputChunk {
        OutputChunk(
            run: run, stream: stream, time: time, bytes: bytes, isShared: isShared, skipped: start - end)
    }
}
