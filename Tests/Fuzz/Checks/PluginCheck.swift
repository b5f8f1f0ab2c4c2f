@testable import LullELF

/// Any bytes are a plugin with facts, or are refused in a sentence with a remedy; read twice they are the same.
enum PluginCheck {
    static func run(_ bytes: [UInt8]) throws {
        let first = facts(bytes)
        try hold(first == facts(bytes), "read twice they are not the same")
        switch first {
        case .success(let facts):
            try hold(facts.abiMajor == PluginFacts.ownMajor, "version \(facts.abiMajor) is taken")
            try hold(facts.otherExports.count <= 1001, "\(facts.otherExports.count) exports are listed")
        case .failure(let fault):
            try hold(!fault.message(about: "x.so").isEmpty, "\(fault) has no message")
            try hold(!fault.fix(for: "x.so").isEmpty, "\(fault) has no remedy")
        }
    }

    private static func facts(_ bytes: [UInt8]) -> Result<PluginFacts, PluginFault> {
        do throws(PluginFault) {
            return .success(try PluginFacts(MemoryBytes(content: bytes), exports: true))
        } catch {
            return .failure(error)
        }
    }
}
