import Foundation
import Testing

/// What plugins were once built against stays where it is: today's structs begin as those of each frozen header.
struct FrozenHeaderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: ["lull_request", "lull_launch", "lull_host", "lull_plugin"])
    func `a struct has only grown since 1.0`(name: String) throws {
        let frozen = try Self.fields(of: name, in: "Tests/Fixtures/Headers/1.0/lull_plugin.h")
        let today = try Self.fields(of: name, in: "Sources/CLullPlugin/include/lull_plugin.h")
        #expect(!frozen.isEmpty)
        #expect(Array(today.prefix(frozen.count)) == frozen)
    }

    @Test func `a constant has the value that it had in 1.0`() throws {
        let frozen = try Self.constants(in: "Tests/Fixtures/Headers/1.0/lull_plugin.h")
        let today = try Self.constants(in: "Sources/CLullPlugin/include/lull_plugin.h")
        #expect(frozen.count >= 15)
        for (index, constant) in frozen.enumerated() {
            // A value without a number is that of its place.
            #expect(constant.contains("=") ? today.contains(constant) : today.count > index, "\(constant)")
        }
        #expect(today.contains("LULL_TRACE") && today.contains("LULL_CRITICAL"))
    }

    /// The declarations between the braces, without comments and with single blanks.
    private static func fields(of name: String, in file: String) throws -> [String] {
        let text = try bare(file)
        let pattern = try Regex("struct \(name) \\{([^}]*)\\}")
        let match = try #require(text.firstMatch(of: pattern), "\(file) has no struct \(name)")
        let body = String(try #require(match[1].substring))
        return body.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
    }

    private static func constants(in file: String) throws -> [String] {
        try bare(file).matches(of: /enum \{([^}]*)\}/).flatMap { match in
            match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func bare(_ file: String) throws -> String {
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        return text.replacing(/\/\*(?s).*?\*\//, with: " ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
