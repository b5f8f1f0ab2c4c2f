/// The skeleton of an ELF file that can be loaded: what is mapped from where, and its dynamic table.
///
/// No number in it is trusted: each is checked before it is used, and a file that makes no sense is refused. Of a file
/// for another kind of machine only the header is read.
struct ELFFile {
    struct Segment {
        let offset, address, fileSize, memorySize: UInt64
    }

    let source: any ByteSource
    private(set) var segments: [Segment] = []
    private(set) var dynamic = DynamicTable()
    private(set) var hasInterpreter = false
    /// The linker's build ID, in hexadecimal; empty: none.
    private(set) var buildID = ""

    /// More headers than any linker makes.
    private static let mostSegments = 4096

    init(_ source: any ByteSource, machine: Machine) throws(PluginFault) {
        self.source = source
        let header = try Self.readHeader(source, machine)
        guard let table = source.bytes(at: header.segments, count: header.segmentCount * 56) else {
            throw .truncated(
                has: source.count, needs: checkedSum(header.segments, UInt64(header.segmentCount * 56)))
        }
        var dynamicSegment: Segment?
        for start in stride(from: 0, to: table.count, by: 56) {
            guard let kind: UInt32 = table.littleEndian(at: start),
                let offset: UInt64 = table.littleEndian(at: start + 8),
                let address: UInt64 = table.littleEndian(at: start + 16),
                let fileSize: UInt64 = table.littleEndian(at: start + 32),
                let memorySize: UInt64 = table.littleEndian(at: start + 40)
            else { break }
            let segment = Segment(
                offset: offset, address: address, fileSize: fileSize, memorySize: memorySize)
            switch kind {
            case 1: segments.append(segment)
            case 2: dynamicSegment = segment
            case 3: hasInterpreter = true
            case 4 where buildID.isEmpty: buildID = Self.buildID(in: segment, of: source)
            default: break
            }
        }
        let needs = segments.compactMap { checkedSum($0.offset, $0.fileSize) }.max() ?? 0
        // The loader maps what the headers say, and touching a page that the file lacks kills the process.
        let whole = max(needs, header.end)
        guard whole <= source.count else { throw .truncated(has: source.count, needs: whole) }
        guard segments.allSatisfy({ checkedSum($0.offset, $0.fileSize) != nil }) else {
            throw .malformed("a segment ends beyond all files")
        }
        if header.kind == 2 { throw .program }
        guard let dynamicSegment else { throw .malformed("it has no dynamic table") }
        dynamic = try DynamicTable(source, at: dynamicSegment.offset, bytes: dynamicSegment.fileSize)
    }

    /// The build ID among a segment's notes.
    private static func buildID(in segment: Segment, of source: any ByteSource) -> String {
        guard segment.fileSize <= 64 << 10,
            let notes = source.bytes(at: segment.offset, count: Int(segment.fileSize))
        else { return "" }
        var place = 0
        while let name: UInt32 = notes.littleEndian(at: place),
            let body: UInt32 = notes.littleEndian(at: place + 4),
            let kind: UInt32 = notes.littleEndian(at: place + 8), name <= 1 << 16, body <= 1 << 16
        {
            let start = place + 12 + Int(name + 3) / 4 * 4
            let end = start + Int(body)
            guard end <= notes.count else { return "" }
            if kind == 3, name == 4, notes[(place + 12)...].starts(with: [0x47, 0x4e, 0x55, 0]) {
                return hexadecimal(notes[start..<end].prefix(64))
            }
            place = start + Int(body + 3) / 4 * 4
        }
        return ""
    }

    /// Where in the file the byte of an address is; nil: nowhere, or not `count` of them.
    func offset(of address: UInt64, count: UInt64 = 1) -> UInt64? {
        for segment in segments where address >= segment.address {
            let inside = address - segment.address
            if let end = checkedSum(inside, count), end <= segment.fileSize { return segment.offset + inside }
        }
        return nil
    }

    /// Bytes by their address; where memory has more than the file they are zero.
    func memory(at address: UInt64, count: Int) -> [UInt8]? {
        for segment in segments where address >= segment.address {
            let inside = address - segment.address
            guard let end = checkedSum(inside, UInt64(count)), end <= segment.memorySize else { continue }
            guard inside < segment.fileSize else { return [UInt8](repeating: 0, count: count) }
            let there = Int(min(UInt64(count), segment.fileSize - inside))
            guard let bytes = source.bytes(at: segment.offset + inside, count: there) else { return nil }
            return bytes + [UInt8](repeating: 0, count: count - there)
        }
        return nil
    }

    /// A text of the dynamic table's strings.
    func string(_ index: UInt64) -> String? {
        guard let table = dynamic[.strings], let address = checkedSum(table, index),
            let offset = offset(of: address)
        else { return nil }
        return source.text(at: offset)
    }

    private struct Header {
        let kind: UInt16
        let segments: UInt64
        let segmentCount: Int
        /// The end of the section table, which is a file's last part.
        let end: UInt64
    }

    private static func readHeader(_ source: any ByteSource, _ machine: Machine) throws(PluginFault) -> Header
    {
        guard source.count > 0 else { throw .empty }
        let start = source.bytes(at: 0, count: Int(min(source.count, 512))) ?? []
        guard start.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else { throw .notELF(.init(of: start)) }
        guard start.count >= 64 || start.count >= 52 && start[4] == 1 else {
            throw .truncated(has: source.count, needs: nil)
        }
        let isLittle = start[5] == 1
        let found = start.littleEndian(at: 18, as: UInt16.self).map {
            Machine(isLittle ? $0 : $0.byteSwapped)
        }
        guard start[4] == 2, isLittle, found == machine else {
            throw .otherMachine(
                (found?.name ?? "") + (start[4] == 1 && found == machine ? " with 32 bits" : ""))
        }
        guard let kind: UInt16 = start.littleEndian(at: 16),
            let segments: UInt64 = start.littleEndian(at: 32),
            let sections: UInt64 = start.littleEndian(at: 40),
            let entrySize: UInt16 = start.littleEndian(at: 54),
            let count: UInt16 = start.littleEndian(at: 56),
            let sectionSize: UInt16 = start.littleEndian(at: 58),
            let sectionCount: UInt16 = start.littleEndian(at: 60)
        else { throw .truncated(has: source.count, needs: nil) }
        switch kind {
        case 1: throw .objectFile
        case 2, 3: break
        case 4: throw .coreDump
        default: throw .malformed("it is an ELF file of the unknown kind \(kind)")
        }
        guard entrySize == 56, count > 0, count <= mostSegments else {
            throw .malformed("its table of segments makes no sense")
        }
        let sectionBytes = UInt64(sectionSize) * UInt64(sectionCount)
        return Header(
            kind: kind, segments: segments, segmentCount: Int(count),
            end: sections == 0 ? 0 : checkedSum(sections, sectionBytes) ?? .max)
    }
}
