import Testing

@testable import LullModel

/// Packed values come back as they were, and foreign bytes are refused.
struct PackedTests {
    private struct Sample: Codable, Equatable {
        enum Kind: Codable, Equatable { case plain, named(String, isOld: Bool) }
        var lowest = Int64.min
        var highest = UInt64.max
        var absent: Int?
        var text = "ä line\nand another"
        var fractions = [0.1, -0.0, 1e300, 3]
        var names = ["b": 2, "a": -1]
        var kinds = [Kind.plain, .named("x", isOld: true)]
        var children: [Sample] = []
        var settings = JSONValue.object(["list": .array([.integer(1), .number(0.5), .null, .bool(false)])])
    }

    private let sample = Sample(absent: 3, children: [Sample(), Sample(absent: -1)])

    @Test func `all comes back as it was`() throws {
        #expect(try Packed.decode(Sample.self, from: Packed.encode(sample)) == sample)
        let gaps: [Int?] = [1, nil, 3]
        #expect(try Packed.decode([Int?].self, from: Packed.encode(gaps)) == gaps)
    }

    /// Swift compares them as equal.
    @Test func `texts that are equal and of other bytes keep their bytes`() throws {
        let texts = ["\u{e9}", "e\u{301}", "\u{e9}", "after"]
        let read = try Packed.decode([String].self, from: Packed.encode(texts))
        #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }

    @Test func `what is missing is an error, and what is unknown is passed over`() throws {
        struct Part: Codable, Equatable { var a: Int }
        struct Whole: Codable { var a = 1, b = "more" }
        #expect(try Packed.decode(Part.self, from: Packed.encode(Whole())) == Part(a: 1))
        #expect(throws: DecodingError.self) { try Packed.decode(Whole.self, from: Packed.encode(Part(a: 1))) }
        #expect(throws: DecodingError.self) { try Packed.decode(UInt8.self, from: Packed.encode(300)) }
    }

    /// A thousand records of one type have its keys once.
    @Test func `keys and texts are written once`() throws {
        struct Row: Codable { var identifier = "com.example.App", isEnabled = true }
        let one = try Packed.encode([Row()]).count
        let two = try Packed.encode([Row(), Row()]).count
        #expect(two - one <= 5)
    }

    @Test func `bytes that are cut off or changed are refused or are other values`() throws {
        let bytes = try Packed.encode(sample)
        for end in bytes.indices {
            #expect(throws: DecodingError.self) { try Packed.decode(Sample.self, from: bytes[..<end]) }
        }
        for place in bytes.indices {
            for byte in stride(from: UInt8(0), through: 255, by: 5) {
                var changed = bytes
                changed[place] = byte
                _ = try? Packed.decode(Sample.self, from: changed)
            }
        }
        let deep =
            Packed.mark + [UInt8](repeating: Packed.Tag.list.rawValue, count: 1)
            + Array(
                repeatElement([UInt8(1), Packed.Tag.list.rawValue], count: 100_000).joined())
        #expect(throws: DecodingError.self) { try Packed.decode([Int].self, from: deep) }
    }
}
