import Foundation
import LullControl
import Testing

@testable import LullWeb

/// Addresses as operators write them, and the token in its file.
struct WebAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8320", "127.0.0.1:8320", true), ("localhost:80", "127.0.0.1:80", true),
        ("8320", "127.0.0.1:8320", true), (":0", "127.0.0.1:0", true), ("[::1]:8320", "[::1]:8320", true),
        ("0.0.0.0:8320", "0.0.0.0:8320", false), ("[::]:8320", "[::]:8320", false),
        ("192.168.1.7:1", "192.168.1.7:1", false),
    ])
    func `an address has a port, and is loopback or not`(text: String, expected: String, loopback: Bool)
        throws
    {
        let address = try WebAddress(text)
        #expect(address.text == expected)
        #expect(address.isLoopback == loopback)
    }

    @Test(arguments: [
        "", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:8320", "[::1]8320", "[::1:80", "a:b",
    ])
    func `what is none is refused`(text: String) {
        #expect(throws: WebAddress.Failure.malformed(text)) { try WebAddress(text) }
    }

    @Test(arguments: ["example.org:80", "127.1:80", "127.0.0.1x:80"])
    func `a name is refused as one`(text: String) {
        #expect(throws: WebAddress.Failure.self) { try WebAddress(text) }
    }

    @Test func `the usual address is what it says`() throws {
        #expect(try WebAddress("127.0.0.1:8320") == .usual)
    }

    @Test func `a token stays, is its owner's alone, and is made anew when others could read it`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lull-token-\(UUID())")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/" + WebToken.fileName
        func mode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        let first = try WebToken.ofState(in: folder)
        #expect(first.text.count == 64)
        #expect(try mode() == 0o600)
        #expect(try WebToken.ofState(in: folder) == first)
        chmod(path, 0o640)
        let second = try WebToken.ofState(in: folder)
        #expect(second != first)
        #expect(try mode() == 0o600)
        try Data("short\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try WebToken.ofState(in: folder) != second)
        #expect(throws: WebError.self) { try WebToken.ofState(in: folder + "/none") }
    }
}
