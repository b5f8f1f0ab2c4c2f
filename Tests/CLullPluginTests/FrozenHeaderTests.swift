import Foundation
import Testing

/// What plugins were once built against stays where it is: today's structs begin as those of each frozen header.
struct FrozenHeaderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func header(_ version: String) -> String {
        "Tests/Fixtures/Headers/\(version)/lull_plugin.h"
    }

    @Test(arguments: ["lull_request", "lull_launch", "lull_host", "lull_plugin"], ["1.0", "1.1", "1.2"])
    func `a struct has only grown since`(name: String, version: String) throws {
        let frozen = try Self.fields(of: name, in: Self.header(version))
        let today = try Self.fields(of: name, in: "Sources/C/CLullPlugin/include/lull_plugin.h")
        #expect(!frozen.isEmpty)
        #expect(Array(today.prefix(frozen.count)) == frozen)
    }

    @Test(arguments: ["1.0", "1.1", "1.2"])
    func `a constant has the value that it had in`(version: String) throws {
        let frozen = try Self.constants(in: Self.header(version))
        let today = try Self.constants(in: "Sources/C/CLullPlugin/include/lull_plugin.h")
        #expect(frozen["LULL_CRITICAL"] == 6 && frozen["LULL_REQUIRES_EXTERNAL_POWER"] == 2)
        for (name, value) in frozen { #expect(today[name] == value, "\(name)") }
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

    /// With their values: `N`, `Nu << M`, or one more than the one before.
    private static func constants(in file: String) throws -> [String: Int] {
        var values: [String: Int] = [:]
        for match in try bare(file).matches(of: /enum \{([^}]*)\}/) {
            var next = 0
            for constant in match.1.split(separator: ",") {
                let words = constant.split(separator: " ").map(String.init)
                if let equals = words.firstIndex(of: "=") {
                    let numbers = try words[(equals + 1)...].filter { $0 != "<<" }.map { word in
                        try #require(Int(word.hasSuffix("u") ? String(word.dropLast()) : word), "\(constant)")
                    }
                    next = numbers.count == 2 ? numbers[0] << numbers[1] : try #require(numbers.first)
                }
                if let name = words.first { values[name] = next }
                next += 1
            }
        }
        return values
    }

    private static func bare(_ file: String) throws -> String {
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        return text.replacing(/\/\*(?s).*?\*\//, with: " ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
