private import Glibc

/// An event of inotify, read from its descriptor.
struct FileEvent {
    let watch: Int32
    /// `IN_MODIFY` and the like.
    let kinds: UInt32
    /// The name of the file in the watched folder; empty: the watched file itself.
    let name: String

    /// Reads all waiting events: the descriptor does not block. `buffer` holds one event at least.
    static func read(from descriptor: Int32, by buffer: inout [UInt8]) -> [FileEvent] {
        var events: [FileEvent] = []
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return events }
            buffer.withUnsafeBytes {
                append(from: UnsafeRawBufferPointer(rebasing: $0[..<count]), to: &events)
            }
        }
    }

    private static func append(from bytes: UnsafeRawBufferPointer, to events: inout [FileEvent]) {
        var offset = 0
        // Head: watch, mask, cookie, length of the name; 16 bytes. The name is padded with zero bytes.
        while offset + 16 <= bytes.count {
            let watch = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let kinds = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let end = min(offset + 16 + length, bytes.count)
            let name = bytes[(offset + 16)..<end].prefix { $0 != 0 }
            events.append(FileEvent(watch: watch, kinds: kinds, name: String(decoding: name, as: UTF8.self)))
            offset += 16 + length
        }
    }
}
