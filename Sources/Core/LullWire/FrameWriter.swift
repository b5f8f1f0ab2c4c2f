import LullModel

/// The bytes of a frame, field by field: integers in little-endian order, texts after their length.
struct FrameWriter {
    var bytes: [UInt8]

    init(reusing buffer: consuming [UInt8]) {
        bytes = buffer
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }
    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func integer<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Truncates a text that is too long at a scalar boundary, so that the receiver never has to refuse it.
    mutating func text(_ text: String, atMost limit: Int) {
        var copy = text
        copy.withUTF8 { utf8 in
            var end = min(utf8.count, limit)
            while end < utf8.count, end > 0, utf8[end] & 0xC0 == 0x80 { end -= 1 }
            integer(UInt32(truncatingIfNeeded: end))
            bytes.append(contentsOf: utf8[..<end])
        }
    }

    mutating func part(_ part: [UInt8]) {
        integer(UInt32(truncatingIfNeeded: part.count))
        bytes.append(contentsOf: part)
    }

    /// Whether there is one, and it.
    mutating func identity(_ identity: FileIdentity?) {
        flag(identity != nil)
        guard let identity else { return }
        integer(identity.device)
        integer(identity.inode)
        integer(identity.bytes)
        integer(identity.modified)
    }

    mutating func request(_ request: WireRequest) {
        byte(request.kind.rawValue)
        text(request.identifier, atMost: Wire.nameBytes)
        integer(request.earliestBegin)
        integer(request.requirements)
        integer(request.resources)
        flag(request.isImmediate)
        label(request.label)
    }

    /// Whether there is one, and it.
    mutating func push(_ push: WirePush?) {
        flag(push != nil)
        guard let push else { return }
        text(push.payload, atMost: Limits.pushBytesMost)
        integer(push.merged)
        flag(push.isUrgent)
    }

    mutating func label(_ label: WireLabel) {
        for text in [label.title, label.subtitle, label.protection] {
            flag(text != nil)
            if let text { self.text(text, atMost: Limits.titleBytes) }
        }
    }
}
