import CLullPlugin
import Glibc
import LullModel
import LullWire

/// Why something can't be transferred, with the remedy.
struct TransferFault: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}

extension TransferOrder {
    /// Reads the plugin's order, and the path of the file to upload, which is not taken over yet.
    static func read(
        _ order: UnsafePointer<lull_transfer_order>
    ) throws(TransferFault) -> (TransferOrder, path: String?) {
        let raw = UnsafeRawPointer(order)
        guard Int(raw.load(as: UInt32.self)) >= MemoryLayout<lull_transfer_order>.size,
            pointer(raw, \.session) != nil, pointer(raw, \.url) != nil
        else {
            throw TransferFault(
                "The order of the transfer is smaller than that of version 1.3, or has no session or no URL. "
                    + "Set its size, its session and its URL.")
        }
        let value = order.pointee
        let direction: Direction
        switch value.direction {
        case lull_transfer_direction(LULL_TRANSFER_DOWNLOAD): direction = .download
        case lull_transfer_direction(LULL_TRANSFER_UPLOAD): direction = .upload
        default:
            throw TransferFault(
                "This worker knows no direction \(value.direction). "
                    + "Use LULL_TRANSFER_DOWNLOAD or LULL_TRANSFER_UPLOAD.")
        }
        var meant = TransferOrder(
            session: text(value.session), ordinal: value.ordinal, direction: direction,
            method: value.method.map(text) ?? (direction == .upload ? "PUT" : "GET"), url: text(value.url),
            headers: try headers(of: value), body: try body(of: value), label: value.label.map(text))
        meant.takeTerms(of: value)
        guard direction == .upload else { return (meant, nil) }
        guard let file = value.file else {
            throw TransferFault("The upload names no file. Name one.")
        }
        // A placeholder until the file is taken over: all other faults are reported before.
        meant.file = "up-"
        return (meant, CText.read(file, atMost: Wire.pathBytes))
    }

    private mutating func takeTerms(of value: lull_transfer_order) {
        func has(_ flag: Int) -> Bool { value.flags & UInt32(flag) != 0 }
        isDiscretionary = has(LULL_TRANSFER_DISCRETIONARY)
        allowsExpensive = !has(LULL_TRANSFER_NOT_EXPENSIVE)
        allowsConstrained = !has(LULL_TRANSFER_NOT_CONSTRAINED)
        sendsLaunchEvents = !has(LULL_TRANSFER_NO_LAUNCH)
        asksChallenges = has(LULL_TRANSFER_ASKS)
        if value.earliest_begin_unix_ns > 0 {
            // Not before it, so a part of a millisecond counts as a whole one.
            let (begin, rest) = value.earliest_begin_unix_ns.quotientAndRemainder(dividingBy: 1_000_000)
            earliestBegin = WallTime(milliseconds: begin + (rest > 0 ? 1 : 0))
        }
        expectedToSend = value.expected_to_send < 0 ? nil : value.expected_to_send
        expectedToReceive = value.expected_to_receive < 0 ? nil : value.expected_to_receive
        if value.idle_limit_ms != 0 { idleLimit = .milliseconds(value.idle_limit_ms) }
        if value.whole_limit_ms != 0 { wholeLimit = .milliseconds(value.whole_limit_ms) }
        if value.resumes != 0 { resumes = TransferID(value.resumes) }
    }

    private static func headers(of value: lull_transfer_order) throws(TransferFault) -> [TransferHeader] {
        guard value.header_count > 0 else { return [] }
        guard let headers = value.headers, value.header_count <= Limits.transferOrderBytes / 4 else {
            throw TransferFault(
                "The transfer has too many headers, or none where it counts some. Correct them.")
        }
        return UnsafeBufferPointer(start: headers, count: value.header_count).map {
            TransferHeader(text($0.name), text($0.value))
        }
    }

    private static func body(of value: lull_transfer_order) throws(TransferFault) -> TransferBody? {
        guard let body = value.body, value.body_size > 0 else { return nil }
        guard value.body_size <= Limits.transferBodyBytes else {
            throw TransferFault(
                "The body of the transfer has more than \(Limits.transferBodyBytes >> 10) KiB. "
                    + "Send it as the file of an upload.")
        }
        return TransferBody(Array(UnsafeRawBufferPointer(start: body, count: value.body_size)))
    }

    /// Nil where C has left out a pointer that may not be null.
    private static func pointer(
        _ raw: UnsafeRawPointer, _ field: KeyPath<lull_transfer_order, UnsafePointer<CChar>>
    ) -> UnsafePointer<CChar>? {
        MemoryLayout<lull_transfer_order>.offset(of: field).flatMap {
            raw.load(fromByteOffset: $0, as: UnsafePointer<CChar>?.self)
        }
    }

    /// A byte more than is allowed, so that it is seen to be too long.
    private static func text(_ pointer: UnsafePointer<CChar>) -> String {
        CText.read(pointer, atMost: Limits.transferOrderBytes + 1)
    }
}
