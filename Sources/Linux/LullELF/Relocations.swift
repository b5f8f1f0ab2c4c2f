/// The pointers of a file that the loader fills in.
struct Relocations {
    struct Relocation: Equatable {
        /// What it will point to in the file's own addresses; nil: something of another file, or a symbol.
        let target: UInt64?
    }

    private let file: ELFFile

    init(_ file: ELFFile) { self.file = file }

    /// Read in pieces: a plugin that carries its runtime has a hundred thousand.
    private static let piece = 2730
    private static let most = 1 << 22

    /// The relocations at `addresses`, by the address.
    func within(_ addresses: Range<UInt64>) -> [UInt64: Relocation] {
        guard let table = file.dynamic[.relocations], let bytes = file.dynamic[.relocationBytes],
            let start = file.offset(of: table, count: bytes)
        else { return [:] }
        let count = Int(min(bytes / 24, UInt64(Self.most)))
        var found: [UInt64: Relocation] = [:]
        var done = 0
        while done < count {
            let length = min(Self.piece, count - done)
            guard let part = file.source.bytes(at: start + UInt64(done * 24), count: length * 24) else {
                break
            }
            take(part, within: addresses, into: &found)
            done += length
        }
        return found
    }

    private func take(
        _ part: [UInt8], within addresses: Range<UInt64>, into found: inout [UInt64: Relocation]
    ) {
        part.withUnsafeBytes { bytes in
            for index in stride(from: 0, through: bytes.count - 24, by: 24) {
                let address = UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                guard addresses.contains(address) else { continue }
                let kind = UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt32.self))
                let addend = UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self))
                found[address] = Relocation(target: kind == Machine.own.relativeRelocation ? addend : nil)
            }
        }
    }
}
