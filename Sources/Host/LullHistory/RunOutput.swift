import Foundation
public import LullModel

/// The kept output of a run: its first 32 KiB and its last 32 KiB.
///
/// The beginning, because the first error is usually the cause; the end, because it says how the run ended. Every
/// piece has its offset in the whole output, so that the number of bytes between the pieces is known.
public struct RunOutput: Sendable, Equatable {
    public struct Piece: Sendable, Equatable {
        /// Offset in all that the run printed.
        public var start: Int
        public var stream: OutputChunk.Stream
        /// When the first of its bytes was printed.
        public var time: WallTime
        public var isShared: Bool
        public var bytes: [UInt8]

        public init(
            start: Int, stream: OutputChunk.Stream, time: WallTime, isShared: Bool, bytes: [UInt8]
        ) {
            (self.start, self.stream, self.time) = (start, stream, time)
            (self.isShared, self.bytes) = (isShared, bytes)
        }

        public var end: Int { start + bytes.count }
    }

    public static let headBytes = 32 << 10
    public static let tailBytes = 32 << 10
    /// Small pieces that follow each other are joined up to this size: a plugin that prints byte by byte costs no more.
    static let joinedBytes = 4 << 10

    public let run: RunID
    /// In the order in which they were printed.
    public internal(set) var pieces: [Piece]

    public init(run: RunID, pieces: [Piece]) { (self.run, self.pieces) = (run, pieces) }

    /// The number of bytes that were printed in all; the last ones are always kept.
    public var total: Int { pieces.last?.end ?? 0 }
    public var dropped: Int { total - pieces.reduce(0) { $0 + $1.bytes.count } }

    /// The output for people: bytes that are no UTF-8 are repaired, and a line stands in place of bytes that were not kept.
    public var text: String { text(isWhole: true) }

    /// The same for a run that was cut off: its last output may be lost, so counts are lower bounds.
    public var textOfCutOff: String { text(isWhole: true, isCutOff: true) }

    /// The same without bytes that other runs of the app may have printed; a line says how many.
    public var ownText: String { text(isWhole: false) }

    public var printed: PrintedByRun {
        var reader = PrintedByRun.Reader()
        for piece in pieces where piece.stream != .log { reader.append(piece.bytes) }
        return reader.told(dropped: dropped)
    }

    private func text(isWhole: Bool, isCutOff: Bool = false) -> String {
        var text = ""
        var shared = 0
        var bytes: [UInt8] = []
        var end = 0
        func flush() {
            text += String(decoding: bytes, as: UTF8.self)
            bytes = []
        }
        for piece in pieces {
            if piece.start > end {
                flush()
                if !text.isEmpty && !text.hasSuffix("\n") { text += "\n" }
                text += "… \(isCutOff ? "at least " : "")\(piece.start - end) bytes not kept …\n"
            }
            end = piece.end
            if isWhole || !piece.isShared { bytes += piece.bytes } else { shared += piece.bytes.count }
        }
        flush()
        if shared > 0 {
            if !text.isEmpty && !text.hasSuffix("\n") { text += "\n" }
            text += "… \(shared) bytes left out, printed while other runs of the app were under way: "
            text += "`lull history \(run)` has them …\n"
        }
        return text
    }

    /// The lines that contain `text` in any case, without output that other runs of the app may have printed.
    public func lines(containing text: String) -> [String] {
        let wanted = Data(text.lowercased().utf8)
        func isIn(_ text: String) -> Bool { Data(text.lowercased().utf8).range(of: wanted) != nil }
        var found: [String] = []
        var bytes: [UInt8] = []
        func search() {
            defer { bytes = [] }
            let whole = String(decoding: bytes, as: UTF8.self).withoutEscapeSequences
            // Few outputs contain it: only those are split into lines.
            guard isIn(whole) else { return }
            found += whole.split(whereSeparator: \.isNewline).map(String.init).filter(isIn)
        }
        var end = 0
        for piece in pieces where !piece.isShared {
            if piece.start > end { search() }
            bytes += piece.bytes
            end = piece.end
        }
        search()
        return found
    }

    mutating func append(_ chunk: OutputChunk) {
        for piece in Self.pieces(of: chunk, at: total + chunk.skipped) {
            if let last = pieces.last, let joined = last.joined(with: piece) {
                pieces[pieces.count - 1] = joined
            } else {
                pieces.append(piece)
            }
        }
        guard total > Self.headBytes + Self.tailBytes else { return }
        let cut = Self.cut(total: total)
        pieces = pieces.compactMap { $0.cut(to: cut) }
    }

    /// The pieces to keep of a chunk that begins at `start`; no piece lies in both head and tail. An empty piece says that the
    /// output before it was not kept.
    static func pieces(of chunk: OutputChunk, at start: Int) -> [Piece] {
        func piece(_ bytes: ArraySlice<UInt8>, at start: Int) -> Piece {
            Piece(
                start: start, stream: chunk.stream, time: chunk.time, isShared: chunk.isShared,
                bytes: Array(bytes))
        }
        let head = chunk.bytes.prefix(max(0, headBytes - start))
        let tail = chunk.bytes.dropFirst(head.count).suffix(tailBytes)
        let end = start + chunk.bytes.count
        if chunk.bytes.isEmpty { return [piece([], at: start)] }
        return (head.isEmpty ? [] : [piece(head, at: start)])
            + (tail.isEmpty ? [] : [piece(tail, at: end - tail.count)])
    }

    /// The offset where the tail begins: the output between the head and this offset is not kept.
    static func cut(total: Int) -> Int { max(headBytes, total - tailBytes) }
}

extension RunOutput.Piece {
    /// Both pieces as one; nil unless they follow each other, are alike and stay small.
    func joined(with next: Self) -> Self? {
        guard next.start == end, next.stream == stream, next.isShared == isShared,
            bytes.count + next.bytes.count <= RunOutput.joinedBytes,
            (start < RunOutput.headBytes) == (next.start < RunOutput.headBytes)
        else { return nil }
        var joined = self
        joined.bytes += next.bytes
        return joined
    }

    /// The rest of the piece when nothing between the head and `cut` is kept; nil if nothing is left.
    func cut(to cut: Int) -> Self? {
        guard start >= RunOutput.headBytes, start < cut else { return self }
        guard end > cut else { return nil }
        var rest = self
        rest.bytes.removeFirst(cut - start)
        rest.start = cut
        return rest
    }
}
