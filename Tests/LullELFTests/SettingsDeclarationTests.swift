import Foundation
import Testing

@testable import LullELF

/// The schema of the settings is read from a plugin's file, without running any of its code.
struct SettingsDeclarationTests {
    private func found(_ more: String, with compiler: String = "gcc", options: [String] = []) throws
        -> SettingsDeclaration
    {
        let forge = try Forge()
        let path = try forge.compile(
            Forge.plain + more, with: compiler, options: ["-shared", "-fPIC"] + options)
        return try SettingsDeclaration(of: FileBytes(opening: path))
    }

    private static let macro = """

        LULL_SETTINGS_SCHEMA({
          "lull_settings": 1,
          "task": { "type": "object", "description": "A \\"quote\\", a comma" }
        });
        """

    @Test(
        arguments: ["gcc", "clang"],
        [
            [], ["-O2", "-fvisibility=hidden"],
            ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-s"],
        ])
    func `the macro of the header leaves it in the file`(compiler: String, options: [String]) throws {
        guard case .declared(let text) = try found(Self.macro, with: compiler, options: options) else {
            Issue.record("there is none")
            return
        }
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
        #expect(json["lull_settings"] as? Int == 1)
        #expect((json["task"] as? [String: String])?["description"] == "A \"quote\", a comma")
    }

    @Test func `most plugins have none`() throws {
        #expect(try found("") == .none)
        // The words alone are no declaration, nor is the key anywhere but first in an object.
        #expect(try found("const char *a = \"\\\"lull_settings\\\": 1\";") == .none)
        #expect(try found("const char *a = \"{ \\\"b\\\": 2, \\\"lull_settings\\\": 1 }\";") == .none)
    }

    @Test func `two that differ are refused, and the same twice is one`() throws {
        let one = "static const char x[] __attribute__((used)) = \"{ \\\"lull_settings\\\": 1 }\";"
        let other = one.replacing("x[]", with: "y[]")
        #expect(try found(one + other) == .declared("{ \"lull_settings\": 1 }"))
        #expect(try found(one + other.replacing(": 1", with: ": 2")) == .several)
    }

    @Test func `one that is too long is refused`() throws {
        let start = "const char x[] = \"{ \\\"lull_settings\\\": 1 "
        let filled = start + String(repeating: " ", count: SettingsDeclaration.limit) + "}\";"
        #expect(try found(filled) == .tooLong)
        let most = start + String(repeating: " ", count: SettingsDeclaration.limit - 30) + "}\";"
        guard case .declared = try found(most) else {
            Issue.record("that is not too long")
            return
        }
    }

    @Test func `it is found wherever it lies, also across two pieces of the file`() throws {
        // Wherever the linker puts it, in one of these the marker crosses the end of the first piece.
        let forge = try Forge()
        let path = try forge.compile(
            Forge.plain + "static const char x[1 << 20] = { 1 };\nconst char *get(void) { return x; }"
                + Self.macro)
        let bytes = try forge.bytes(of: path)
        let file = try ELFFile(MemoryBytes(content: bytes), machine: .own)
        let marker = SettingsDeclaration.marker
        let place = try #require(
            (0..<bytes.count - marker.count).first { Array(bytes[$0..<$0 + marker.count]) == marker })
        let segment = try #require(
            file.segments.first { $0.offset <= UInt64(place) && UInt64(place) < $0.offset + $0.fileSize })
        let offset = place - Int(segment.offset)
        for shift in [0, 1, 7, marker.count - 1, marker.count] {
            // Moves the text so that the marker begins this many bytes before the end of the piece.
            var moved = bytes
            let target = Int(segment.offset) + (1 << 20) - shift
            guard target > 64, target + 600 < Int(segment.offset + segment.fileSize), offset > 64 else {
                continue
            }
            let text = Array(bytes[(place - 2)..<(place + 300)])
            moved.replaceSubrange((place - 2)..<(place + 300), with: [UInt8](repeating: 0, count: 302))
            moved.replaceSubrange((target - 2)..<(target + 300), with: text)
            guard case .declared = try SettingsDeclaration(MemoryBytes(content: moved)) else {
                Issue.record("not found \(shift) bytes before the end of a piece")
                continue
            }
        }
    }

    @Test func `a file that is no plugin is refused as ever`() {
        #expect(throws: PluginFault.self) { try SettingsDeclaration(MemoryBytes(content: Array("x".utf8))) }
    }
}
