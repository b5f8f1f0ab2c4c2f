import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullControl

/// Tokens of the page with names.
struct PageTokensTests {
    private let folder: TemporaryFolder
    private let tokens: PageTokens
    private let shop: AppIdentifier

    init() throws {
        folder = try TemporaryFolder()
        tokens = PageTokens(stateFolder: folder.path)
        shop = try .of("com.example.Shop")
    }

    @Test func `a token is found by itself, and only its hash is kept`() throws {
        let reader = PageToken(name: "prometheus", scope: .read, made: at(1))
        let actor = PageToken(
            name: "ci", scope: .act, apps: [shop, try .of("com.example.Mail")], made: at(2))
        let texts = [try tokens.make(reader), try tokens.make(actor)]
        #expect(texts.map(tokens.find) == [reader, actor])
        #expect(try tokens.all == [actor, reader])
        #expect(tokens.find("") == nil && tokens.find(String(texts[0].reversed())) == nil)
        let kept = try String(contentsOfFile: folder.path + "/page-tokens", encoding: .utf8)
        #expect(!texts.contains { kept.contains($0) })
        // The hash is no token.
        #expect(kept.split { $0 == " " || $0 == "\n" }.allSatisfy { tokens.find(String($0)) == nil })
    }

    @Test func `a newer token takes the place of the old one, and a revoked one is void`() throws {
        var token = PageToken(name: "ci", scope: .act, made: at(1))
        let first = try tokens.make(token)
        token.scope = .read
        let second = try tokens.make(token)
        #expect(tokens.find(first) == nil && tokens.find(second)?.scope == .read)
        #expect(try tokens.revoke("ci"))
        #expect(try tokens.find(second) == nil && tokens.all.isEmpty)
        #expect(try !tokens.revoke("ci"))
    }

    @Test func `what is damaged, or others could read, permits nothing`() throws {
        let text = try tokens.make(PageToken(name: "ci", scope: .read, made: at(1)))
        let path = folder.path + "/page-tokens"
        let line = try String(contentsOfFile: path, encoding: .utf8)
        func permits(_ line: String) throws -> Bool {
            try line.write(toFile: path, atomically: false, encoding: .utf8)
            return tokens.find(text) != nil
        }
        #expect(try permits(line))
        for (part, other) in [(" read ", " root "), (" - ", " no-app "), (" - ", " "), ("2026", "year")] {
            #expect(try !permits(line.replacingOccurrences(of: part, with: other)), "\(other)")
        }
        #expect(try permits("\n" + line))
        chmod(path, 0o640)
        #expect(tokens.find(text) == nil)
        // Whoever shows the file or writes it anew is told, and the tokens in it are kept.
        let open = WebError.openTokens(path: path)
        #expect(throws: open) { try tokens.all }
        #expect(throws: open) { try tokens.revoke("ci") }
        #expect(throws: open) { try tokens.make(PageToken(name: "other", scope: .read, made: at(2))) }
        #expect(
            open.message == "Others may read \(path), so no token in it is taken. Run `chmod 600 \(path)`.")
        chmod(path, 0o600)
        #expect(tokens.find(text) != nil)
    }

    @Test func `names are words of a command and of a line`() {
        #expect(["ci", "a.b_c-1", String(repeating: "x", count: 64)].allSatisfy(PageToken.isName))
        let wrong = ["", "a b", "a\nb", "-x", "é", "a/b", String(repeating: "x", count: 65)]
        #expect(!wrong.contains(where: PageToken.isName))
    }

    @Test func `scopes permit what those before them do`() {
        #expect(PageToken.Scope.read < .output && PageToken.Scope.output < .act)
        let token = PageToken(name: "ci", scope: .act, apps: [shop], made: at(1))
        #expect(
            token.words == "read, see the output of runs, and act on com.example.Shop and its tasks alone")
    }
}
