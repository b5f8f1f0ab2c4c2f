import LullModel

/// Decodes a frame field by field, and never reads past its end.
struct FrameReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private var remaining: Int { bytes.count - offset }

    mutating func byte() throws(WireError) -> UInt8 {
        guard remaining >= 1 else { throw .cutShort }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func flag() throws(WireError) -> Bool {
        let value = try byte()
        guard value <= 1 else { throw .unknownValue(value) }
        return value == 1
    }

    mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws(WireError) -> T {
        let size = MemoryLayout<T>.size
        guard remaining >= size else { throw .cutShort }
        defer { offset += size }
        return T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    mutating func value<T: RawRepresentable<UInt8>>(_: T.Type = T.self) throws(WireError) -> T {
        let raw = try byte()
        guard let value = T(rawValue: raw) else { throw .unknownValue(raw) }
        return value
    }

    mutating func text(atMost limit: Int) throws(WireError) -> String {
        let slice = try slice(atMost: limit)
        guard let text = String(validating: slice, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    mutating func part(atMost limit: Int) throws(WireError) -> [UInt8] {
        Array(try slice(atMost: limit))
    }

    mutating func identity() throws(WireError) -> FileIdentity? {
        guard try flag() else { return nil }
        return FileIdentity(
            device: try integer(), inode: try integer(), bytes: try integer(), modified: try integer())
    }

    mutating func request() throws(WireError) -> WireRequest {
        WireRequest(
            kind: try value(), identifier: try text(atMost: Wire.nameBytes), earliestBegin: try integer(),
            requirements: try integer(), resources: try integer(), isImmediate: try flag(),
            label: try label())
    }

    mutating func label() throws(WireError) -> WireLabel {
        WireLabel(title: try optionalText(), subtitle: try optionalText(), protection: try optionalText())
    }

    mutating func push() throws(WireError) -> WirePush? {
        guard try flag() else { return nil }
        return WirePush(
            payload: try text(atMost: Limits.pushBytesMost), merged: try integer(), isUrgent: try flag())
    }

    private mutating func optionalText() throws(WireError) -> String? {
        try flag() ? try text(atMost: Limits.titleBytes) : nil
    }

    func end() throws(WireError) {
        guard remaining == 0 else { throw .surplus(bytes: remaining) }
    }

    private mutating func slice(atMost limit: Int) throws(WireError) -> Slice<UnsafeRawBufferPointer> {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw .fieldTooLong(bytes: count, limit: limit) }
        guard remaining >= count else { throw .cutShort }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }
}
