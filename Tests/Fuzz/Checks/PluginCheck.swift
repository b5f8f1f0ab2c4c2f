@testable import LullELF

/// Any bytes are a plugin with facts, or are refused with an error and a fix; reading them twice gives the same result.
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

    /// In any file, the settings' schema is missing, refused, or one text within the limit.
    private static func declaration(_ bytes: [UInt8]) throws {
        guard case .declared(let text)? = try? SettingsDeclaration(MemoryBytes(content: bytes)) else {
            return
        }
        // Repairing bytes that are no UTF-8 may make the text longer.
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
