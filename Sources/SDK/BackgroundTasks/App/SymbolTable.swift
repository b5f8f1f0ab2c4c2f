import Foundation

/// Reads the names in a library's symbol table; a stripped library has none.
enum SymbolTable {
    private static let symbolTable: UInt32 = 2
    private static let headerBytes = 64
    private static let sectionBytes = 64
    private static let symbolBytes = 24

    /// The names in a 64-bit ELF file; empty if the file is not one.
    static func names(in path: String) -> [String] {
        guard let file = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else {
            return []
        }
        return file.withUnsafeBytes { file in
            guard file.count > headerBytes, file.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2]) else { return [] }
            let sections = Int(clamping: number(at: 40, of: file, as: UInt64.self))
            let count = Int(number(at: 60, of: file, as: UInt16.self))
            for index in 0..<count {
                let section = sections.addingReportingOverflow(index * sectionBytes).partialValue
                guard number(at: section + 4, of: file, as: UInt32.self) == symbolTable else { continue }
                let linked = Int(number(at: section + 40, of: file, as: UInt32.self))
                guard let symbols = bytes(of: section, in: file), linked < count,
                    let texts = bytes(of: sections + linked * sectionBytes, in: file)
                else { return [] }
                return names(symbols, texts)
            }
            return []
        }
    }

    private static func names(_ symbols: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer) -> [String]
    {
        stride(from: 0, to: symbols.count - symbolBytes + 1, by: symbolBytes).compactMap { symbol in
            let start = Int(number(at: symbol, of: symbols, as: UInt32.self))
            guard start > 0, start < texts.count else { return nil }
            return String(decoding: texts[start...].prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// The content of a section, by the offset and size in its header; nil if it lies outside the file.
    private static func bytes(of section: Int, in file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let offset = Int(clamping: number(at: section + 24, of: file, as: UInt64.self))
        let size = Int(clamping: number(at: section + 32, of: file, as: UInt64.self))
        guard offset <= file.count, size <= file.count - offset else { return nil }
        return UnsafeRawBufferPointer(rebasing: file[offset..<(offset + size)])
    }

    /// The number at an offset; 0 beyond the end.
    private static func number<Value: FixedWidthInteger>(
        at offset: Int, of bytes: UnsafeRawBufferPointer, as type: Value.Type
    ) -> Value {
        guard offset >= 0, offset <= bytes.count - MemoryLayout<Value>.size else { return 0 }
        return bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }
}
