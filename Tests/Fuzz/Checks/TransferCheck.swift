import LullModel

@testable import LullTransfers

/// Untrusted input about a transfer (from its process, the server, or the side file of a part) is read or refused.
///
/// The first byte selects the kind of the rest: if it is even, a frame between host and process; if it is 1, 5, 9…, a side
/// file; otherwise the lines of an answer's head.
enum TransferCheck {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch first % 4 {
        case 1: try check(note: rest)
        case 3: try check(head: rest, offset: Int64(first >> 2))
        default: try check(frame: rest)
        }
    }

    // MARK: Frames

    private static func check(frame bytes: [UInt8]) throws {
        if let frame = TransferFrame(bytes[...]) {
            guard let again = frame.encoded() else { throw Broken("too long to be written: \(frame)") }
            try hold(TransferFrame(again[...]) == frame, "read anew it is another: \(frame)")
        }
        guard let frame = ProcessFrame(bytes[...]) else { return }
        guard let again = frame.encoded() else { throw Broken("too long to be written: \(frame)") }
        try hold(ProcessFrame(again[...]) == frame, "read anew it is another: \(frame)")
        guard case .news(_, _, let news) = frame else { return }
        let possible = Int64(0)...(1 << 60)
        for count in counts(of: news) {
            try hold(possible.contains(count), "the host would count with \(count)")
        }
    }

    private static func counts(of news: TransferNews) -> [Int64] {
        switch news {
        case .progressed(let progress):
            [progress.received, progress.sent] + [progress.toReceive, progress.toSend].compactMap(\.self)
        case .finished(let result): [result.received, result.sent]
        case .interrupted(_, _, let received): [received]
        case .failed, .challenged: []
        }
    }

    // MARK: Side files

    private static func check(note bytes: [UInt8]) throws {
        guard let note = PartNote(bytes) else { return }
        try hold(note.headers.count <= AnswerHead.mostHeaders, "\(note.headers.count) headers")
        try hold(PartNote(Array(note.text.utf8)) == note, "read anew it is another: \(note)")
    }

    // MARK: Answers

    private static func check(head bytes: [UInt8], offset: Int64) throws {
        var head = AnswerHead()
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false) { head.take(line + [10]) }
        try hold((0...999).contains(head.status), "status \(head.status)")
        try hold(head.headers.count <= AnswerHead.mostHeaders, "\(head.headers.count) headers")
        // A byte that is no UTF-8 becomes three bytes.
        let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        try hold(size <= 3 * Limits.transferHeadBytes, "\(size) bytes of headers")
        for header in head.headers {
            let ends = [header.value.first, header.value.last].compactMap(\.self)
            try hold(!ends.contains { $0.isWhitespace }, "not trimmed: \(header.value.debugDescription)")
            if let range = ContentRange(header.value) { try check(range) }
        }
        for name in head.headers.prefix(8).map(\.name) {
            try hold(head.value(name) != nil, "\(name) is not found")
        }
        for claim in DigestClaim.all(in: head.headers) {
            let isWhole = claim.bytes.count == claim.algorithm.byteCount
            try hold(isWhole, "no file has a \(claim.algorithm) of \(claim.bytes.count) bytes")
        }
        try check(plans: head, offset: offset)
    }

    private static func check(_ range: ContentRange) throws {
        if let total = range.total { try hold(total >= 0, "a total of \(total)") }
        guard let bytes = range.bytes else { return }
        try hold(bytes.lowerBound >= 0, "from \(bytes.lowerBound) on")
        if let total = range.total { try hold(bytes.upperBound < total, "\(bytes) of \(total)") }
        let text = "bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(range.total.map { "\($0)" } ?? "*")"
        try hold(ContentRange(text) == range, "read anew it is another: \(text)")
    }

    /// The plan for the answer, and the side file that keeps it.
    private static func check(plans head: AnswerHead, offset: Int64) throws {
        let note = PartNote(
            url: head.value("location") ?? "https://example.com/", status: head.status, headers: head.headers,
            total: head.value("x-total").flatMap { Int64($0) }, validator: PartNote.strongTag(head), sent: 0)
        let text = note.text
        let most = head.headers.count < AnswerHead.mostHeaders ? PartNote.mostBytes : 2 * PartNote.mostBytes
        try hold(text.utf8.count <= most, "a side file of \(text.utf8.count) bytes")
        try hold(PartNote(Array(text.utf8)) == note, "read anew it is another: \(text)")
        for hasOwnRange in [false, true] {
            let plan = AnswerPlan(head, asked: nil, hasOwnRange: hasOwnRange)
            switch plan {
            case .append, .whole, .again: throw Broken("\(plan), and nothing has come before")
            case .fresh, .redirect, .later: break
            }
        }
        let plan = AnswerPlan(head, asked: AnswerPlan.Asked(offset: offset, note: note))
        if case .append(let total) = plan {
            let range = head.value("content-range").flatMap { ContentRange($0) }
            try hold(head.status == 206, "status \(head.status) is gone on with")
            try hold(range?.bytes?.lowerBound == offset, "gone on with elsewhere than at \(offset)")
            if let total, let known = note.total { try hold(total == known, "\(total) of \(known)") }
        }
        if plan == .redirect { try hold(head.value("location") != nil, "redirected to nowhere") }
    }
}
