private import CLullPlugin

/// What a plugin's file says of itself, read without running any of it.
///
/// Loading a library runs its constructors; before that this checks whether it is a library of this machine at all,
/// whole, and with an entry that fits. Only the loader knows which libraries and symbols are missing.
public struct PluginFacts: Sendable, Equatable {
    public let abiMajor: Int
    public let abiMinor: Int
    /// The SDK that made the entry; nil where the file does not show it before it is loaded.
    public let sdk: String?
    /// The libraries that it names.
    public let needed: [String]
    /// Where it looks for them first: DT_RUNPATH, or else DT_RPATH.
    public let searchPath: [String]
    /// The build ID in hexadecimal; empty: it has none.
    public let buildID: String
    /// What it exports beside its entry, in the order of its table; a thousand at most.
    public let otherExports: [String]

    /// The version that this Lull speaks.
    public static let ownMajor = Int(LULL_ABI_MAJOR)
    public static let ownMinor = Int(LULL_ABI_MINOR)

    static let entryName = "lull_plugin_entry"

    /// `exports`: also lists what else it exports, which costs a look at each symbol.
    public init(ofFile path: String, exports: Bool = false) throws(PluginFault) {
        try self.init(FileBytes(opening: path), exports: exports)
    }

    public init(of file: FileBytes) throws(PluginFault) { try self.init(file, exports: false) }

    init(_ source: any ByteSource, exports: Bool = false, machine: Machine = .own) throws(PluginFault) {
        let file = try ELFFile(source, machine: machine)
        guard !file.dynamic.isProgram else { throw .program }
        guard let symbols = SymbolTable(file), let entry = symbols.exported(Self.entryName) else {
            throw file.hasInterpreter && file.dynamic[.soname] == nil ? .program : .noEntry
        }
        // A constant can't have an indirect or thread-local symbol, and a function's is a common mistake.
        guard entry.kind == 0 || entry.kind == 1 else { throw .entryIsNoData }
        let fields = try EntryFields(file, at: entry.address)
        abiMajor = fields.major
        abiMinor = fields.minor
        sdk = fields.sdk
        let needs = LibraryNeeds(file)
        needed = needs.names
        searchPath = needs.searchPath
        buildID = file.buildID
        otherExports = exports ? symbols.names(atMost: 1001).filter { $0 != Self.entryName } : []
    }
}

/// The plugin's `lull_plugin`, as it stands in the file.
private struct EntryFields {
    let major: Int
    let minor: Int
    let sdk: String?

    init(_ file: ELFFile, at address: UInt64) throws(PluginFault) {
        guard let head = file.memory(at: address, count: 8), let size: UInt32 = head.littleEndian(at: 0),
            let major: UInt16 = head.littleEndian(at: 4), let minor: UInt16 = head.littleEndian(at: 6)
        else { throw .malformed("its lull_plugin_entry lies outside of it") }
        // A later major version may count its size otherwise, so the version is checked first.
        guard size < 8 || Int(major) == PluginFacts.ownMajor else {
            throw .otherMajor(
                Int(major), minor: Int(minor), ownMajor: PluginFacts.ownMajor, ownMinor: PluginFacts.ownMinor)
        }
        guard Int(size) >= Self.least else { throw .tooSmall(size: Int(size), least: Self.least) }
        guard let body = file.memory(at: address, count: Self.least) else {
            throw .malformed("its lull_plugin_entry ends outside of it")
        }
        let slots = [Self.start, Self.launch, Self.sdk]
        let relocations = Relocations(file).within(
            address..<(checkedSum(address, UInt64(Self.least)) ?? .max))
        for (name, slot) in [("start", slots[0]), ("launch", slots[1])] {
            let written: UInt64 = body.littleEndian(at: slot) ?? 0
            guard written != 0 || relocations[address &+ UInt64(slot)] != nil else {
                throw .missingFunction(name)
            }
        }
        self.major = Int(major)
        self.minor = Int(minor)
        let written: UInt64 = body.littleEndian(at: Self.sdk) ?? 0
        let pointer = relocations[address &+ UInt64(Self.sdk)].flatMap { $0.target } ?? written
        sdk = pointer == 0 ? nil : file.offset(of: pointer).flatMap { file.source.text(at: $0, atMost: 256) }
    }

    /// `run` is the one field that a plugin may leave out: it is the last, and optional.
    private static let least = launch + 8
    private static let sdk = MemoryLayout<lull_plugin>.offset(of: \.sdk) ?? 0
    private static let start = MemoryLayout<lull_plugin>.offset(of: \.start) ?? 0
    private static let launch = MemoryLayout<lull_plugin>.offset(of: \.launch) ?? 0
}
