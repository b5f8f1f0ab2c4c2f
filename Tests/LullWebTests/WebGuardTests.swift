import LullControl
import Testing

@testable import LullWeb

/// The requests that are let in: names for this host, pages from elsewhere, the token.
struct WebGuardTests {
    private let doors: WebGuard
    private let right: String

    init() throws {
        right = String(repeating: "a1", count: 32)
        doors = WebGuard(token: try #require(WebToken(right)))
    }

    private func client(
        _ host: String? = "127.0.0.1:8320", origin: String? = nil, site: String? = nil, token: String? = nil
    ) -> WebGuard.Client {
        .init(host: host, origin: origin, site: site, authorization: token.map { "Bearer " + $0 })
    }

    @Test(arguments: ["127.0.0.1:8320", "localhost:8320", "localhost", "[::1]:8320", "192.168.1.7:80"])
    func `an address and localhost are hosts that lead here`(host: String) {
        #expect(doors.refusal(of: client(host), at: .reading) == nil)
    }

    @Test(arguments: [
        "evil.example", "evil.example:8320", "localhost.evil.example", "127.0.0.1.evil.example",
    ])
    func `a foreign name that leads here is refused`(host: String) {
        #expect(doors.refusal(of: client(host), at: .page)?.status == 403)
        #expect(doors.refusal(of: client(host, token: right), at: .changing)?.status == 403)
    }

    @Test func `a request without a host, or with half a one, is refused`() {
        for host in [
            nil, "", ":80", "[::1", "[::1].evil.example", "[::1]80", "[::1]:80@evil.example",
            "localhost:80@evil.example", "localhost:80:80", "127.0.0.1:+1",
        ] {
            #expect(doors.refusal(of: client(host), at: .page)?.status == 400)
        }
    }

    @Test func `a name that the operator gave is a host`() {
        var doors = doors
        doors.names = ["lull.example.org"]
        #expect(doors.refusal(of: client("Lull.Example.org"), at: .reading) == nil)
    }

    @Test func `what changes something and what was printed need the token`() {
        for door in [WebGuard.Door.changing, .output] {
            #expect(doors.refusal(of: client(), at: door)?.status == 401)
            #expect(
                doors.refusal(of: client(token: String(repeating: "a2", count: 32)), at: door)?.status == 401
            )
            #expect(doors.refusal(of: client(token: right + "0"), at: door)?.status == 401)
            #expect(doors.refusal(of: client(token: right), at: door) == nil)
        }
        #expect(doors.refusal(of: client(), at: .reading) == nil)
        #expect(
            doors.refusal(of: .init(host: "localhost", authorization: right), at: .changing)?.status == 401)
    }

    @Test(arguments: ["bearer", "BEARER", "Bearer"]) func `the scheme has no case`(scheme: String) {
        func status(_ token: String) -> Int? {
            doors.refusal(of: .init(host: "localhost", authorization: scheme + token), at: .changing)?.status
        }
        #expect(status(" " + right) == nil && status("  " + right) == 401 && status(right) == 401)
    }

    @Test func `a page from elsewhere changes nothing, even with the token`() {
        #expect(
            doors.refusal(of: client(origin: "http://evil.example", token: right), at: .changing)?.status
                == 403)
        #expect(doors.refusal(of: client(origin: "null", token: right), at: .changing)?.status == 403)
        #expect(doors.refusal(of: client(site: "cross-site", token: right), at: .changing)?.status == 403)
        #expect(doors.refusal(of: client(site: "same-site", token: right), at: .changing)?.status == 403)
        let own = client(origin: "http://127.0.0.1:8320", site: "same-origin", token: right)
        #expect(doors.refusal(of: own, at: .changing) == nil)
    }

    @Test func `where other machines come, nothing but the empty page is shown without the token`() {
        var doors = doors
        doors.isOpen = true
        #expect(doors.refusal(of: client("10.0.0.1:80"), at: .page) == nil)
        #expect(doors.refusal(of: client("10.0.0.1:80"), at: .reading)?.status == 401)
        #expect(doors.refusal(of: client("10.0.0.1:80", token: right), at: .reading) == nil)
    }
}
