import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullControl

/// The names of those who act: from the kernel and the state folder, never from the client.
struct AskerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func name(_ asker: Asker) -> String {
        asker.name(stateFolder: folder.path) { [0: "root", 1000: "anna", 1001: "lull"][$0] }
    }

    @Test func `a user is named, and who became that user is named first`() {
        #expect(name(Asker(user: 1000, login: nil)) == "anna")
        #expect(name(Asker(user: 0, login: 1000)) == "anna as root")
        #expect(name(Asker(user: 1001, login: 1000)) == "anna as lull")
        #expect(name(Asker(user: 0, login: 0)) == "root")
        #expect(name(Asker(user: 1002, login: nil)) == "user 1002")
        #expect(name(Asker(user: 1002, login: 7)) == "user 7 as user 1002")
    }

    @Test func `the kernel's number for nobody is nobody`() {
        #expect(Asker.login(in: "4294967295") == nil)
        #expect(Asker.login(in: "1000") == 1000)
        #expect(Asker.login(in: "") == nil)
    }

    @Test func `a name has one line, and an end`() {
        #expect(
            Asker(user: 0, login: nil).name(stateFolder: "/") { _ in "an\u{1B}[31m\nna\u{202E}" }
                == "an\u{241B}[31m\u{240A}na\u{FFFD}")
        #expect(
            Asker(user: 0, login: nil).name(stateFolder: "/") { _ in String(repeating: "ö", count: 500) }
                == String(repeating: "ö", count: 100))
        #expect(Asker(user: 5, login: nil).name(stateFolder: "/") { _ in "  " } == "user 5")
    }

    @Test func `a token of the page names itself, and the person whom its proxy named`() throws {
        let tokens = PageTokens(stateFolder: folder.path)
        let proxy = try tokens.make(PageToken(name: "proxy", scope: .act, made: at(1)))
        func by(_ token: String, _ person: String? = nil) -> String {
            name(Asker(user: 0, login: nil, Bearer(token: token, person: person)))
        }
        #expect(by(proxy) == "token proxy")
        #expect(by(proxy, "anna") == "anna (token proxy)")
        #expect(by(proxy, " \n ") == "\u{240A} (token proxy)")
        #expect(by(proxy, " ") == "token proxy")
        #expect(
            by(proxy, String(repeating: "a", count: 500)) == String(repeating: "a", count: 64)
                + " (token proxy)")
        let own = try WebToken.ofState(in: folder.path)
        #expect(by(own.text, "anna") == "anna (the page's own token)")
        // Who has no token is the user of the process, whatever it says.
        for text in ["", "proxy", String(proxy.reversed())] { #expect(by(text, "anna") == "root") }
        #expect(try tokens.revoke("proxy"))
        #expect(by(proxy, "anna") == "root")
    }

    @Test func `a question carries the bearer`() throws {
        let bearer = Bearer(token: "x\"y", person: "anna")
        let frame = try ControlFrame.encode(Ask.Resume(.all), for: bearer)
        let asked = try ControlFrame.question(Data(frame.dropFirst(4)))
        #expect(asked.bearer == bearer && asked.form == .packed)
        #expect((asked.question as? Ask.Resume) == Ask.Resume(.all))
        let plain = try ControlFrame.encode(Ask.Resume(.all))
        #expect(try ControlFrame.question(Data(plain.dropFirst(4))).bearer == nil)
    }

    @Test func `what changes something is an act, and a question is none`() {
        let acts = Ask.Word.allCases.filter { $0.question.isAct }
        #expect(
            Set(acts) == [
                .used, .submit, .cancel, .launch, .begin, .expire, .enable, .pause, .resume, .reload, .push,
                .pushHindrance, .restoreUrgency, .orderTransfer,
            ])
    }
}
