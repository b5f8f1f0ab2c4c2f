import Glibc

/// Texts and arrays that C is lent until `free` is called.
struct CArena {
    private var pieces: [UnsafeMutableRawPointer] = []

    /// Null for nil.
    mutating func text(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        return self.text(text)
    }

    mutating func text(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        var end = memory
        for byte in bytes {
            end.initialize(to: CChar(bitPattern: byte))
            end += 1
        }
        end.initialize(to: 0)
        pieces.append(UnsafeMutableRawPointer(memory))
        return UnsafePointer(memory)
    }

    /// Null for an empty one. Its elements are plain C.
    mutating func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element>? {
        guard !elements.isEmpty else { return nil }
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
        for (index, element) in elements.enumerated() { (memory + index).initialize(to: element) }
        pieces.append(UnsafeMutableRawPointer(memory))
        return UnsafePointer(memory)
    }

    mutating func free() {
        for piece in pieces { piece.deallocate() }
        pieces = []
    }
}
