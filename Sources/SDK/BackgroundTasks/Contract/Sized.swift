import CLullPlugin

/// A struct of the ABI, which begins with its size as its maker compiled it.
protocol Sized {
    var size: UInt32 { get }
}

extension lull_host: Sized {}
extension lull_launch: Sized {}
extension lull_request: Sized {}

extension UnsafePointer where Pointee: Sized {
    /// Whether the struct is long enough to contain `field`; otherwise the field must not be read.
    func has<Field>(_ field: KeyPath<Pointee, Field>) -> Bool {
        guard let offset = MemoryLayout<Pointee>.offset(of: field) else { return false }
        // Read through raw memory: `pointee` as a whole may be longer than what is there.
        let size = UnsafeRawPointer(self).load(as: UInt32.self)
        return Int(size) >= offset + MemoryLayout<Field>.size
    }
}
