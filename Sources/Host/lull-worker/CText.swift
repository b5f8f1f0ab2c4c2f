import Glibc
import LullWire

/// A NUL-terminated text that lives, at one address, until the process ends: what the ABI promises of its
/// strings.
// Sendable: `init` writes the bytes before anybody else has the pointer, which is to constant bytes from then on; they are
// never written or freed again, so reading them on any thread is safe.
struct CText: @unchecked Sendable {
    let pointer: UnsafePointer<CChar>
    let count: Int

    init(_ bytes: some Collection<UInt8>) {
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        var end = memory
        for byte in bytes {
            end.initialize(to: CChar(bitPattern: byte))
            end += 1
        }
        end.initialize(to: 0)
        pointer = UnsafePointer(memory)
        count = bytes.count
    }

    init(_ text: String) { self.init(text.utf8) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: pointer, count: count) }

    /// A plugin's string, of which no more than `limit` bytes are looked at; what is not UTF-8 is repaired.
    static func read(_ pointer: UnsafePointer<CChar>?, atMost limit: Int) -> String {
        guard let pointer else { return "" }
        let bytes = UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, limit))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Copies as `snprintf` does.
    static func copy(_ bytes: [UInt8], to buffer: UnsafeMutablePointer<CChar>?, capacity: Int) {
        guard let buffer, capacity > 0 else { return }
        let count = min(bytes.count, capacity - 1)
        for index in 0..<count { buffer[index] = CChar(bitPattern: bytes[index]) }
        buffer[count] = 0
    }
}

extension WireLabel {
    /// The texts as C has them, for the time of the call; null for a text that is missing.
    func withCStrings<Result>(
        _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
    ) -> Result {
        Self.with(title) { title in
            Self.with(subtitle) { subtitle in
                Self.with(protection) { protection in body(title, subtitle, protection) }
            }
        }
    }

    /// The same with the launch's origin; null where that is empty.
    func withCStrings<Result>(
        and origin: String,
        _ body: (
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Result
    ) -> Result {
        withCStrings { title, subtitle, protection in
            Self.with(origin.isEmpty ? nil : origin) { body(title, subtitle, protection, $0) }
        }
    }

    private static func with<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}

/// Nanoseconds on `CLOCK_MONOTONIC`.
func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
