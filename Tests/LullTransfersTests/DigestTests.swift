import Foundation
import LullELF
import LullModel
import TestSupport
import Testing

/// Servers that require a password by Digest (RFC 7616), which nginx does not support.
struct DigestTests {
    static let user = "Aladdin"
    static let password = "open sesame"
    static let right = TransferAnswer.credential(user: user, password: password)
    /// The response for `user` and `password` to GET /file without `qop`, computed with `md5sum`.
    static let plain = "9469bfc7dfa624534943fff569322d90"

    enum Way: CaseIterable {
        /// With the client's count and nonce, in SHA-256.
        case counted
        /// The old form: MD5 without count and client nonce.
        case plain

        var challenge: String {
            let place = #"Digest realm="the cave", nonce="opqrstuv""#
            return switch self {
            case .counted: place + #", qop="auth", algorithm=SHA-256"#
            case .plain: place
            }
        }
    }

    /// Serves the uploaded data, or "treasure", to a client that proves that it knows the password, which is never sent.
    private func server(_ way: Way) throws -> RudeServer {
        try RudeServer { request, client in
            let fields = Self.fields(of: request.headers["authorization"] ?? "")
            guard !fields.isEmpty, fields["response"] == Self.response(way, request, fields) else {
                return client.answer("401 Unauthorized", ["WWW-Authenticate: " + way.challenge])
            }
            client.answer("200 OK", [], request.body.isEmpty ? Data("treasure".utf8) : request.body)
        }
    }

    private static func response(
        _ way: Way, _ request: RudeServer.Request, _ fields: [String: String]
    ) -> String? {
        guard fields["username"] == user, fields["nonce"] == "opqrstuv", fields["uri"] == request.path,
            let count = fields["nc"] ?? (way == .plain ? "" : nil)
        else { return nil }
        guard way == .counted else { return plain }
        func hash(_ parts: String...) -> String {
            SHA256.hexadecimal(of: [UInt8](parts.joined(separator: ":").utf8))
        }
        return hash(
            hash(user, "the cave", password), "opqrstuv", count, fields["cnonce"] ?? "", "auth",
            hash(request.method, request.path))
    }

    /// `Digest a="b", c=d`.
    private static func fields(of header: String) -> [String: String] {
        guard header.hasPrefix("Digest ") else { return [:] }
        let pairs = header.dropFirst("Digest ".count).split(separator: ",").map {
            $0.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces.union(["\""]))
            }
        }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    @Test(arguments: Way.allCases) func `who asks by Digest gets a proof of the password`(way: Way) throws {
        let server = try server(way)
        let bench = try TransferBench()
        let order = TransferBench.download(server.url()) { $0.asksChallenges = true }
        let challenge = try #require(try bench.fetch(order).challenge)
        #expect(challenge.method == .digest && challenge.realm == "the cave" && challenge.failures == 0)
        let wrong = try bench.fetch(order, answer: .credential(user: Self.user, password: "please"))
        #expect(wrong.challenge?.method == .digest && wrong.challenge?.failures == 1)
        #expect(try bench.finish(order, answer: Self.right).status == 200)
        #expect(bench.done() == Data("treasure".utf8))
        #expect(server.requests.allSatisfy { !"\($0.headers)".contains("sesame") })
    }

    @Test func `an upload goes on with its proof, and all of it arrives`() throws {
        let server = try server(.counted)
        let bench = try TransferBench()
        try bench.makeFolder()
        let body = pattern(200_000)
        try body.write(to: URL(fileURLWithPath: bench.folder + "/up-a"))
        let order = TransferBench.download(server.url()) {
            ($0.direction, $0.method, $0.file, $0.asksChallenges) = (.upload, "PUT", "up-a", true)
        }
        #expect(try bench.finish(order, answer: Self.right).sent == Int64(body.count))
        #expect(bench.done() == body)
    }

    @Test func `without an answer of the app's a 401 is the server's last word`() throws {
        let bench = try TransferBench()
        let server = try server(.counted)
        #expect(try bench.finish(TransferBench.download(server.url())).status == 401)
        #expect(server.requests.count == 1)
    }
}
