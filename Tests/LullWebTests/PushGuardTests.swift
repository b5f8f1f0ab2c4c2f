import Foundation
import LullControl
import LullELF
import LullModel
import TestSupport
import Testing

@testable import LullWeb

/// The requests that may push over HTTP.
struct PushGuardTests {
    private let app = AppIdentifier("com.example.Mail")

    /// Test cases 1, 2, 3 and 6 of RFC 4231.
    @Test func `signatures are those of the standard`() {
        let cases: [(key: [UInt8], text: [UInt8], digest: String)] = [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for (key, text, digest) in cases { #expect(HMAC.hexadecimal(of: text, key: key) == digest) }
    }

    @Test func `a token is known by its hash, and a newer one takes its place`() throws {
        let folder = try TemporaryFolder()
        let app = try #require(app)
        let tokens = PushTokens(stateFolder: folder.path)
        let first = try tokens.make(for: app)
        #expect(tokens.isRight(first, for: app))
        #expect(!tokens.isRight(first, for: try #require(AppIdentifier("com.example.Other"))))
        let second = try tokens.make(for: app)
        #expect(!tokens.isRight(first, for: app) && tokens.isRight(second, for: app))
        let kept = try String(contentsOfFile: folder.path + "/push-tokens", encoding: .utf8)
        #expect(!kept.contains(second))
        let pushes = PushGuard(stateFolder: folder.path)
        #expect(pushes.hasToken(.init(authorization: "bearer " + second, body: []), of: app) == true)
        chmod(folder.path + "/push-tokens", 0o644)
        #expect(!tokens.isRight(second, for: app), "a file that others may read is nobody's secret")
    }

    @Test func `a signature counts with the file's first line, and a short secret never`() throws {
        let folder = try TemporaryFolder()
        let pushes = PushGuard(stateFolder: folder.path)
        let body = Array("{}".utf8)
        func isSigned(_ signature: String?, by file: String?) -> Bool {
            pushes.isSigned(.init(signature: signature, body: body), by: file)
        }
        let file = try folder.file("secret", "12345678\nmore\n")
        let right = "sha256=" + HMAC.hexadecimal(of: body, key: Array("12345678".utf8))
        #expect(isSigned(right, by: file))
        #expect(
            isSigned(right.replacingOccurrences(of: "sha256=", with: "sha256=").uppercased(), by: file)
                == false)
        #expect(!isSigned("sha256=" + String(repeating: "0", count: 64), by: file))
        #expect(!isSigned(nil, by: file) && !isSigned(right, by: nil))
        let short = try folder.file("short", "1234567\n")
        #expect(!isSigned("sha256=" + HMAC.hexadecimal(of: body, key: Array("1234567".utf8)), by: short))
    }

    @Test func `a secret that others may change is none`() throws {
        let folder = try TemporaryFolder()
        let pushes = PushGuard(stateFolder: folder.path)
        let app = try #require(app)
        let file = try folder.file("secret", "12345678\n")
        let signature = "sha256=" + HMAC.hexadecimal(of: [], key: Array("12345678".utf8))
        func isSigned() -> Bool { pushes.isSigned(.init(signature: signature, body: []), by: file) }
        chmod(file, 0o644)
        #expect(isSigned())
        chmod(file, 0o666)
        #expect(!isSigned() && pushes.change(of: app, secretIn: file) == false)
        #expect(PushGuard.opening(to: file)?.fix == "run `chmod o-w \(file)`")
        chmod(file, 0o600)
        #expect(isSigned() && pushes.change(of: app, secretIn: file) == true)
        chmod(folder.path, 0o777)
        #expect(!isSigned() && PushGuard.opening(to: file)?.path == folder.path)
    }

    @Test func `a signed body counts once in ten minutes, for its app, unless the host did not take it`()
        throws
    {
        let pushes = PushGuard(stateFolder: "/nowhere")
        let (app, other) = (try #require(app), try #require(AppIdentifier("com.example.Other")))
        let start = ContinuousClock.now
        func repetition(_ signature: String, to app: AppIdentifier, after seconds: Int) -> Duration? {
            pushes.repetition(
                of: .init(signature: signature, body: []), to: app, at: start + .seconds(seconds))
        }
        #expect(repetition("sha256=ab", to: app, after: 0) == nil)
        #expect(repetition("sha256=AB", to: app, after: 30) == .seconds(30))
        #expect(repetition("sha256=ab", to: other, after: 30) == nil)
        #expect(repetition("sha256=ab", to: app, after: 601) == nil)
        pushes.forget(.init(signature: "SHA256=ab", body: []), to: app)
        #expect(repetition("sha256=ab", to: app, after: 602) == nil)
        for number in 0..<1_000 { #expect(repetition("sha256=\(number)", to: app, after: 603) == nil) }
        #expect(repetition("sha256=999", to: app, after: 603) == .zero)
        #expect(repetition("sha256=ab", to: app, after: 603) == nil, "others have taken its place")
    }

    @Test func `who is wrong too often is told to come later`() throws {
        let pushes = PushGuard(stateFolder: "/nowhere")
        let app = try #require(app)
        let statuses = (0..<25).map { _ in pushes.refusal(of: app).status }
        #expect(statuses.prefix(20).allSatisfy { $0 == 401 } && statuses.last == 429)
    }
}
