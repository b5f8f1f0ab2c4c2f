/// The dynamic table of an ELF file, by which the loader works.
struct DynamicTable {
    enum Tag: UInt64 {
        case needed = 1
        case hash = 4
        case strings = 5
        case symbols = 6
        case relocations = 7
        case relocationBytes = 8
        case soname = 14
        case rpath = 15
        case runpath = 29
        case gnuHash = 0x6fff_fef5
        case flags1 = 0x6fff_fffb
    }

    private var values: [UInt64: UInt64] = [:]
    /// Indexes into the strings.
    private(set) var needed: [UInt64] = []

    private static let mostEntries = 4096

    init() {}

    init(_ source: any ByteSource, at offset: UInt64, bytes: UInt64) throws(PluginFault) {
        let count = Int(min(bytes / 16, UInt64(Self.mostEntries)))
        guard let table = source.bytes(at: offset, count: count * 16) else {
            throw .malformed("its dynamic table lies outside of it")
        }
        for start in stride(from: 0, to: table.count, by: 16) {
            guard let tag: UInt64 = table.littleEndian(at: start),
                let value: UInt64 = table.littleEndian(at: start + 8),
                tag != 0
            else { break }
            if tag == Tag.needed.rawValue { needed.append(value) } else { values[tag] = value }
        }
    }

    subscript(tag: Tag) -> UInt64? { values[tag.rawValue] }

    /// The mark of a position-independent program.
    var isProgram: Bool { (self[.flags1] ?? 0) & 0x0800_0000 != 0 }
}
