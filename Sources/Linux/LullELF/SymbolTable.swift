/// The symbols that a file offers to others, found as the loader finds them: through its hash table.
struct SymbolTable {
    struct Symbol: Equatable {
        let name: UInt32
        let kind: UInt8
        let isDefined: Bool
        /// Global or weak, and not hidden.
        let isExported: Bool
        let address: UInt64
    }

    private let file: ELFFile
    private let symbols: UInt64

    /// The longest chain that is followed, and the most symbols that are looked at for a list.
    private static let timeout = 1 << 16

    init?(_ file: ELFFile) {
        guard let symbols = file.dynamic[.symbols] else { return nil }
        self.file = file
        self.symbols = symbols
    }

    func exported(_ name: String) -> Symbol? {
        let found =
            file.dynamic[.gnuHash].map { lookGNU(name, $0) } ?? file.dynamic[.hash].map { look(name, $0) }
        return found ?? nil
    }

    /// The names that are exported, in the order of the table; no more than `limit`.
    func names(atMost limit: Int) -> [String] {
        var names: [String] = []
        for index in 1..<max(1, min(count, UInt64(Self.timeout))) {
            guard names.count < limit, let symbol = symbol(index) else { break }
            if symbol.isDefined, symbol.isExported, let name = file.string(UInt64(symbol.name)), !name.isEmpty
            {
                names.append(name)
            }
        }
        return names
    }

    func symbol(_ index: UInt64) -> Symbol? {
        guard let distance = checkedProduct(index, 24), let address = checkedSum(symbols, distance),
            let bytes = file.memory(at: address, count: 24), let name: UInt32 = bytes.littleEndian(at: 0),
            let section: UInt16 = bytes.littleEndian(at: 6), let value: UInt64 = bytes.littleEndian(at: 8)
        else { return nil }
        let binding = bytes[4] >> 4
        let visibility = bytes[5] & 3
        return Symbol(
            name: name, kind: bytes[4] & 15, isDefined: section != 0,
            isExported: (binding == 1 || binding == 2 || binding == 10)
                && (visibility == 0 || visibility == 3),
            address: value)
    }

    private func word(_ table: UInt64, _ index: UInt64) -> UInt32? {
        guard let distance = checkedProduct(index, 4), let address = checkedSum(table, distance) else {
            return nil
        }
        return file.memory(at: address, count: 4)?.littleEndian(at: 0)
    }

    private func matches(_ index: UInt64, _ name: String) -> Symbol? {
        guard let symbol = symbol(index), symbol.isDefined, symbol.isExported,
            file.string(UInt64(symbol.name)) == name
        else { return nil }
        return symbol
    }

    /// The classic table: counts of buckets and chains, the buckets, the chains.
    private func look(_ name: String, _ table: UInt64) -> Symbol? {
        guard let buckets = word(table, 0), buckets > 0 else { return nil }
        var next = word(table, 2 + UInt64(Self.hash(name) % buckets))
        for _ in 0..<Self.timeout {
            guard let index = next, index != 0 else { return nil }
            if let symbol = matches(UInt64(index), name) { return symbol }
            next = word(table, 2 + UInt64(buckets) + UInt64(index))
        }
        return nil
    }

    /// GNU's table: counts, a Bloom filter of 64-bit words, the buckets, and hashes whose last bit ends a chain.
    private func lookGNU(_ name: String, _ table: UInt64) -> Symbol? {
        guard let gnu = GNUHash(self, table) else { return nil }
        let hash = Self.gnuHash(name)
        guard let first = word(gnu.buckets, UInt64(hash % gnu.bucketCount)), first >= gnu.firstSymbol else {
            return nil
        }
        for index in UInt64(first)..<UInt64(first) + UInt64(Self.timeout) {
            guard let chained = word(gnu.chains, index - UInt64(gnu.firstSymbol)) else { return nil }
            if chained | 1 == hash | 1, let symbol = matches(index, name) { return symbol }
            if chained & 1 == 1 { return nil }
        }
        return nil
    }

    private struct GNUHash {
        let bucketCount, firstSymbol: UInt32
        let buckets, chains: UInt64

        init?(_ symbols: SymbolTable, _ table: UInt64) {
            guard let bucketCount = symbols.word(table, 0), bucketCount > 0,
                let firstSymbol = symbols.word(table, 1), let filter = symbols.word(table, 2),
                let buckets = checkedSum(table, 16 + UInt64(filter) * 8),
                let chains = checkedSum(buckets, UInt64(bucketCount) * 4)
            else { return nil }
            self.bucketCount = bucketCount
            self.firstSymbol = firstSymbol
            self.buckets = buckets
            self.chains = chains
        }
    }

    /// How many symbols there are, which only the hash tables tell.
    private var count: UInt64 {
        if let table = file.dynamic[.hash] { return UInt64(word(table, 1) ?? 0) }
        guard let table = file.dynamic[.gnuHash], let gnu = GNUHash(self, table) else { return 0 }
        var last: UInt32 = 0
        for bucket in 0..<UInt64(min(gnu.bucketCount, UInt32(Self.timeout))) {
            guard let first = word(gnu.buckets, bucket) else { return 0 }
            last = max(last, first)
        }
        guard last >= gnu.firstSymbol, last > 0 else { return UInt64(gnu.firstSymbol) }
        for index in UInt64(last)..<UInt64(last) + UInt64(Self.timeout) {
            guard let chained = word(gnu.chains, index - UInt64(gnu.firstSymbol)) else { return index }
            if chained & 1 == 1 { return index + 1 }
        }
        return 0
    }

    private static func hash(_ name: String) -> UInt32 {
        name.utf8.reduce(0) { hash, byte in
            let next = hash << 4 &+ UInt32(byte)
            let high = next & 0xf000_0000
            return (next ^ high >> 24) & ~high
        }
    }

    private static func gnuHash(_ name: String) -> UInt32 {
        name.utf8.reduce(5381) { $0 &* 33 &+ UInt32($1) }
    }
}
