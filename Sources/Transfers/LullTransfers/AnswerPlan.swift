/// What is done with the body of an answer: the one rule by which a part is resumed, begun again or kept.
///
/// Bytes of two versions of a file never meet in one part: it is resumed only where the server says that it sends just
/// what is missing, of the version that the part's validator names.
public enum AnswerPlan: Sendable, Equatable {
    /// The body goes on where the part ends; `total` as the server says.
    case append(total: Int64?)
    /// The part begins anew with the body.
    case fresh
    /// The part is all there is.
    case whole
    /// The answer is of no use: the whole file is requested again.
    case again
    case redirect
    /// The server can't serve it at the moment; `retryAfter` comes from another header.
    case later(String)

    /// The requested bytes: those from `offset` on, of the version that `note` knows.
    public struct Asked: Sendable, Equatable {
        public let offset: Int64
        public let note: PartNote
        public init(offset: Int64, note: PartNote) {
            self.offset = offset
            self.note = note
        }
    }

    /// `hasOwnRange`: the app itself has asked for a range, and the answer is all that it wants.
    public init(_ head: AnswerHead, asked: Asked?, hasOwnRange: Bool = false) {
        let range = head.value("content-range").flatMap { ContentRange($0) }
        switch (head.status, asked) {
        case (301, _), (302, _), (303, _), (307, _), (308, _):
            self = head.value("location") == nil ? .fresh : .redirect
        case (408, _), (429, _), (502, _), (503, _), (504, _):
            self = .later("The server can't serve it at the moment: it answered \(head.status).")
        case (206, let asked?): self = Self.going(on: asked, range, head)
        case (206, nil):
            self =
                hasOwnRange || Self.isAll(range)
                ? .fresh
                : .later("The server sent only a part of the file, although Lull requested all of it.")
        case (416, let asked?):
            let total = range?.total
            let isWhole = range?.bytes == nil && total == asked.offset
            self = isWhole && (asked.note.total ?? asked.offset) == asked.offset ? .whole : .again
        default: self = .fresh
        }
    }

    private static func going(on asked: Asked, _ range: ContentRange?, _ head: AnswerHead) -> AnswerPlan {
        guard let range, let bytes = range.bytes, bytes.lowerBound == asked.offset else { return .again }
        if let total = range.total, let known = asked.note.total, total != known { return .again }
        // Some servers know `Range` and not `If-Range`.
        if let tag = PartNote.strongTag(head), let validator = asked.note.validator,
            validator.hasPrefix("\""), tag != validator
        {
            return .again
        }
        return .append(total: range.total ?? asked.note.total)
    }

    private static func isAll(_ range: ContentRange?) -> Bool {
        guard let range, let bytes = range.bytes, let total = range.total else { return false }
        return bytes == 0...(total - 1)
    }
}
