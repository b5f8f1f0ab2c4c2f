/// The kind of processor that a file was built for, by ELF's number.
public struct Machine: Sendable, Equatable {
    public let number: UInt16

    public init(_ number: UInt16) { self.number = number }

    static let x86_64 = Machine(62)
    static let aarch64 = Machine(183)

    /// That of this program.
    #if arch(x86_64)
        public static let own = x86_64
    #elseif arch(arm64)
        public static let own = aarch64
    #elseif arch(riscv64)
        public static let own = Machine(243)
    #endif

    var name: String { Self.names[number] ?? "a processor with ELF's number \(number)" }

    private static let names: [UInt16: String] = [
        2: "SPARC", 3: "x86 with 32 bits", 8: "MIPS", 20: "PowerPC", 21: "PowerPC with 64 bits", 22: "s390",
        40: "ARM with 32 bits", 43: "SPARC with 64 bits", 50: "Itanium", 62: "x86-64", 183: "AArch64",
        243: "RISC-V", 258: "LoongArch",
    ]

    /// The type of a relocation that adds the address at which the file is loaded; nil: not known here.
    var relativeRelocation: UInt32? {
        switch self {
        case .x86_64: 8
        case .aarch64: 1027
        case Machine(243): 3
        default: nil
        }
    }
}
