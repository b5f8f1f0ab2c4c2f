private import CLullPage
import Foundation

/// An answer as gzip (RFC 1952): JSON with thousands of tasks becomes a tenth of its size.
enum Gzip {
    /// Smaller bodies fit into one packet as they are.
    private static let least = 1024

    /// Whether a client that sends this `Accept-Encoding` takes gzip (RFC 9110, 12.5.3).
    static func isTaken(by accepted: String?) -> Bool {
        (accepted ?? "").lowercased().split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return weight != 0
        }
    }

    /// Nil where it would save nothing.
    static func packed(_ body: Data) -> Data? {
        guard body.count >= least else { return nil }
        var stream = z_stream()
        // 15 bits of window, and 16 for the head and the trailer of gzip.
        let begun = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(body.count)))
        var packed = [UInt8](repeating: 0, count: room)
        var source = [UInt8](body)
        let result = source.withUnsafeMutableBufferPointer { source in
            packed.withUnsafeMutableBufferPointer { packed in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = packed.baseAddress
                stream.avail_out = UInt32(packed.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        let length = room - Int(stream.avail_out)
        guard result == Z_STREAM_END, length < body.count else { return nil }
        return Data(packed.prefix(length))
    }
}
