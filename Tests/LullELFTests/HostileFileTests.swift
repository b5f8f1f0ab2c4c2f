import Foundation
import LullModel
import Testing

@testable import LullELF

/// Files made to harm their reader: for any content, reading ends with facts or with a fault.
struct HostileFileTests {
    static let telling: [UInt64] = [
        0, 1, 7, 8, 56, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, .max, .max - 7,
    ]

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `no mutation of a plugin does more than be refused`(seed: UInt64) throws {
        let forge = try Forge()
        let options = seed % 2 == 0 ? ["-shared", "-fPIC"] : ["-shared", "-fPIC", "-Wl,--hash-style=sysv"]
        let whole = try forge.bytes(of: forge.compile(options: options))
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<1500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                mutate(&bytes, using: &random)
            }
            if Forge.fault(of: bytes) != nil { refused += 1 }
        }
        // Most were refused, which shows that the mutations hit fields that are read.
        #expect(refused > 200, "seed \(seed): \(refused) of 1500 were refused")
    }

    @Test func `each field of the headers may hold anything`() throws {
        let forge = try Forge()
        let whole = try forge.bytes(of: forge.compile())
        let segments = 64 + 56 * Int(whole[56])
        for offset in stride(from: 4, to: segments, by: 4) {
            for value in Self.telling {
                _ = Forge.fault(of: whole.with(Self.bytes(of: value, count: 8), at: offset))
                _ = Forge.fault(of: whole.with(Self.bytes(of: value, count: 4), at: offset))
            }
        }
    }

    @Test func `each entry of the dynamic and hash tables may hold anything`() throws {
        let forge = try Forge()
        for style in ["gnu", "sysv"] {
            let whole = try forge.bytes(
                of: forge.compile(options: ["-shared", "-fPIC", "-Wl,--hash-style=\(style)"]))
            let file = try ELFFile(MemoryBytes(content: whole), machine: .own)
            var places: [Int] = []
            for tag in [DynamicTable.Tag.hash, .gnuHash, .symbols, .strings, .relocations] {
                guard let address = file.dynamic[tag], let offset = file.offset(of: address) else { continue }
                places += stride(from: Int(offset), to: Int(offset) + 64, by: 4)
            }
            let words = stride(from: 64, to: 64 + 56 * Int(whole[56]), by: 56)
            for start in words where whole[start] == 2 {
                let offset: Int = try #require(whole.littleEndian(at: start + 8))
                let size: Int = try #require(whole.littleEndian(at: start + 32))
                places += stride(from: offset, to: offset + size, by: 8)
            }
            for place in places where place + 8 <= whole.count {
                for value in Self.telling {
                    _ = Forge.fault(of: whole.with(Self.bytes(of: value, count: 8), at: place))
                }
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        // The reader reads the first pages and the data segment; a random offset mostly hits code.
        let near = Bool.random(using: &random) ? min(2048, bytes.count) : bytes.count
        let offset = Int.random(in: 0..<near - 8, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[offset] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2:
            let value = Self.telling.randomElement(using: &random) ?? 0
            bytes = bytes.with(Self.bytes(of: value, count: 8), at: offset & ~7)
        default: bytes.removeLast(Int.random(in: 0...16, using: &random))
        }
    }

    private static func bytes(of value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
