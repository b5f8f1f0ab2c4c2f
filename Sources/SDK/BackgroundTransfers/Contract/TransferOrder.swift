import CLullPlugin
import Foundation

/// The order of a transfer, in Swift's types.
struct TransferOrder: Sendable, Equatable {
    struct Header: Sendable, Equatable {
        var name: String
        var value: String
    }

    var isUpload = false
    var session = ""
    /// The task's identifier.
    var ordinal: UInt64 = 0
    /// Nil: the default.
    var method: String?
    var url = ""
    var headers: [Header] = []
    var body: Data?
    /// The app's own file that an upload is to send.
    var file: String?
    var label: String?
    var isDiscretionary = false
    var allowsExpensive = true
    var allowsConstrained = true
    var sendsLaunchEvents = true
    var asksChallenges = false
    var earliestBegin: Date?
    /// Below 0: not known.
    var expectedToSend: Int64 = -1
    var expectedToReceive: Int64 = -1
    /// 0: the default.
    var idleLimitMilliseconds: Int64 = 0
    var wholeLimitMilliseconds: Int64 = 0
    /// The transfer that this one resumes; 0: it begins anew.
    var resumes: UInt64 = 0
}

extension TransferOrder {
    init(_ order: UnsafePointer<lull_transfer_order>) {
        let value = order.pointee
        func has(_ flag: Int) -> Bool { value.flags & UInt32(flag) != 0 }
        isUpload = value.direction == lull_transfer_direction(LULL_TRANSFER_UPLOAD)
        session = String(cString: value.session)
        ordinal = value.ordinal
        method = value.method.map { String(cString: $0) }
        url = String(cString: value.url)
        headers = Self.headers(value.headers, value.header_count)
        body = value.body_size == 0 ? nil : value.body.map { Data(bytes: $0, count: value.body_size) }
        label = value.label.map { String(cString: $0) }
        isDiscretionary = has(LULL_TRANSFER_DISCRETIONARY)
        allowsExpensive = !has(LULL_TRANSFER_NOT_EXPENSIVE)
        allowsConstrained = !has(LULL_TRANSFER_NOT_CONSTRAINED)
        sendsLaunchEvents = !has(LULL_TRANSFER_NO_LAUNCH)
        asksChallenges = has(LULL_TRANSFER_ASKS)
        if value.earliest_begin_unix_ns > 0 {
            earliestBegin = Date(timeIntervalSince1970: Double(value.earliest_begin_unix_ns) / 1e9)
        }
        expectedToSend = value.expected_to_send
        expectedToReceive = value.expected_to_receive
        idleLimitMilliseconds = value.idle_limit_ms
        wholeLimitMilliseconds = value.whole_limit_ms
        resumes = value.resumes
    }

    static func headers(_ start: UnsafePointer<lull_header>?, _ count: Int) -> [Header] {
        UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).map {
            Header(name: String(cString: $0.name), value: String(cString: $0.value))
        }
    }

    /// Lends the order to C.
    func withOrder<Result>(_ use: (UnsafePointer<lull_transfer_order>) -> Result) -> Result {
        var texts = LentTexts()
        defer { texts.free() }
        let lent = headers.map { lull_header(name: texts.lend($0.name), value: texts.lend($0.value)) }
        return lent.withUnsafeBufferPointer { headers in
            (body ?? Data()).withUnsafeBytes { body in
                let value = lull_transfer_order(
                    size: UInt32(MemoryLayout<lull_transfer_order>.size),
                    direction: lull_transfer_direction(
                        isUpload ? LULL_TRANSFER_UPLOAD : LULL_TRANSFER_DOWNLOAD),
                    session: texts.lend(session), ordinal: ordinal, method: method.map { texts.lend($0) },
                    url: texts.lend(url), headers: headers.isEmpty ? nil : headers.baseAddress,
                    header_count: headers.count, body: body.isEmpty ? nil : body.baseAddress,
                    body_size: body.count, file: file.map { texts.lend($0) },
                    label: label.map { texts.lend($0) }, flags: flags, reserved: 0,
                    earliest_begin_unix_ns: earliestBegin.map(Self.nanoseconds) ?? 0,
                    expected_to_send: expectedToSend, expected_to_receive: expectedToReceive,
                    idle_limit_ms: idleLimitMilliseconds, whole_limit_ms: wholeLimitMilliseconds,
                    resumes: resumes)
                return withUnsafePointer(to: value, use)
            }
        }
    }

    private var flags: lull_transfer_flags {
        var flags = 0
        if isDiscretionary { flags |= LULL_TRANSFER_DISCRETIONARY }
        if !allowsExpensive { flags |= LULL_TRANSFER_NOT_EXPENSIVE }
        if !allowsConstrained { flags |= LULL_TRANSFER_NOT_CONSTRAINED }
        if !sendsLaunchEvents { flags |= LULL_TRANSFER_NO_LAUNCH }
        if asksChallenges { flags |= LULL_TRANSFER_ASKS }
        return lull_transfer_flags(flags)
    }

    /// 0 for a date before 1970, and `Int64.max` for one too far in the future.
    private static func nanoseconds(_ date: Date) -> Int64 {
        let nanoseconds = date.timeIntervalSince1970 * 1e9
        guard nanoseconds > 0 else { return 0 }
        return Int64(exactly: nanoseconds.rounded(.up)) ?? .max
    }
}

/// Texts that C is lent until `free` is called.
private struct LentTexts {
    private var texts: [UnsafeMutablePointer<CChar>] = []

    /// C ends a text at its first NUL, so each NUL is replaced by U+FFFD.
    mutating func lend(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
        let characters = Array(bytes.utf8CString)
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
        memory.initialize(from: characters, count: characters.count)
        texts.append(memory)
        return UnsafePointer(memory)
    }

    mutating func free() {
        for text in texts { text.deallocate() }
        texts = []
    }
}
