import LullWire

/// On both sides, any bytes are a frame that survives encoding and decoding, or are refused with an error.
enum WireCheck {
    static func run(_ bytes: [UInt8]) throws {
        let host = try read(bytes, HostFrame.init) { $0.encoded() }
        let worker = try read(bytes, WorkerFrame.init) { $0.encoded() }
        try hold(host == nil || worker == nil, "one frame for both sides: \(bytes)")
    }

    /// Nil if the bytes are refused.
    static func read<Frame: Equatable>(
        _ bytes: [UInt8], _ decode: (UnsafeRawBufferPointer) throws(WireError) -> Frame,
        _ encode: (Frame) -> [UInt8]
    ) throws -> Frame? {
        let frame: Frame
        do {
            frame = try bytes.withUnsafeBytes { try decode($0) }
        } catch let error as WireError {
            try hold(!error.message.isEmpty, "refused without a reason")
            return nil
        }
        let written = encode(frame)
        do {
            let again = try written.withUnsafeBytes { try decode($0) }
            try hold(again == frame, "read anew it is another frame: \(frame)\n\(again)")
        } catch let error as WireError {
            throw Broken("what was written is \(error.message): \(frame)")
        }
        return frame
    }
}
