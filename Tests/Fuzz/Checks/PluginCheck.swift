@testable import LullELF

/// Any bytes are a plugin with facts, or are refused in a sentence with a remedy; read twice they are the same.
enum PluginCheck {
    static func run(_ bytes: [UInt8]) throws {
        try declaration(bytes)
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

    /// Of a file of whatever kind the settings' schema is none, one text that is not too long, or refused.
    private static func declaration(_ bytes: [UInt8]) throws {
        guard case .declared(let text)? = try? SettingsDeclaration(MemoryBytes(content: bytes)) else {
            return
        }
        // What is no UTF-8 is repaired, and may so be longer.
        try hold(text.utf8.count <= 3 * SettingsDeclaration.limit, "\(text.utf8.count) bytes are declared")
        try hold(text.hasPrefix("{"), "what is declared is no object")
    }

    private static func facts(_ bytes: [UInt8]) -> Result<PluginFacts, PluginFault> {
        do throws(PluginFault) {
            return .success(try PluginFacts(MemoryBytes(content: bytes), exports: true))
        } catch {
            return .failure(error)
        }
    }
}
