import LullModel
import LullWire
import Testing

/// The rules that every transfer order must meet.
@Suite struct TransferFaultTests {
    private static func order(_ change: (inout TransferOrder) -> Void = { _ in }) -> TransferOrder {
        var order = TransferOrder(
            session: "s", ordinal: 1, direction: .download, url: "https://example.org/")
        change(&order)
        return order
    }

    private static func upload(_ change: (inout TransferOrder) -> Void = { _ in }) -> TransferOrder {
        var order = order()
        (order.direction, order.method, order.file) = (.upload, "PUT", "up-0123abcd")
        change(&order)
        return order
    }

    static let sound: [TransferOrder] = [
        order(), upload(), order { $0.url = "HTTP://[::1]:80/%20?a=b#c" },
        order { $0.headers = [TransferHeader("X-A", "ä\tb"), TransferHeader("X-B", "")] },
        order { $0.body = TransferBody([UInt8](repeating: 0, count: Limits.transferBodyBytes)) },
        order { $0.session = String(repeating: "s", count: 255) },
        order { $0.idleLimit = Limits.transferLife },
        order { $0.label = "two\nlines" },
    ]

    static let faults: [(TransferOrder, String)] = [
        (order { $0.session = "" }, "no usable name"),
        (order { $0.session = String(repeating: "s", count: 256) }, "no usable name"),
        (order { $0.session = "a\0" }, "no usable name"),
        (order { $0.ordinal = 0 }, "ordinal 0"),
        (order { $0.url = "file:///etc/passwd" }, "neither http nor https"),
        (order { $0.url = "https://" }, "names no host"),
        (order { $0.url = "https:///path" }, "names no host"),
        (order { $0.url = "https://a b" }, "a character that a URL can't have"),
        (order { $0.url = "https://ä.example" }, "a character that a URL can't have"),
        (order { $0.url = "https://a/" + String(repeating: "p", count: 9000) }, "longer than 8 KiB"),
        (order { $0.method = "GET /\r\nHost: evil" }, "not an HTTP method"),
        (order { $0.headers = [TransferHeader("", "a")] }, "header"),
        (order { $0.headers = [TransferHeader("a", "b\r\nc: d")] }, "header"),
        (order { $0.headers = [TransferHeader("a", "b\0")] }, "header"),
        (order { $0.headers = [TransferHeader("a: b", "c")] }, "header"),
        (order { $0.label = "a\0b" }, "NUL"),
        (order { $0.label = String(repeating: "l", count: Limits.transferOrderBytes) }, "more than 48 KiB"),
        (order { $0.file = "up-1" }, "A download sends no file"),
        (
            order { $0.body = TransferBody([UInt8](repeating: 0, count: Limits.transferBodyBytes + 1)) },
            "more than 32 KiB"
        ),
        (upload { $0.file = nil }, "The upload has no usable file"),
        (upload { $0.file = "../jobs.yaml" }, "The upload has no usable file"),
        (upload { $0.file = "17.done" }, "The upload has no usable file"),
        (upload { $0.body = TransferBody([1]) }, "not a body"),
        (order { $0.expectedToReceive = -1 }, "a negative number of bytes"),
        (order { $0.idleLimit = .zero }, "time limit"),
        (order { $0.wholeLimit = Limits.transferLife + .milliseconds(1) }, "time limit"),
        (order { $0.earliestBegin = WallTime(milliseconds: .max) }, "does not exist"),
        (order { $0.resumes = TransferID(0) }, "no transfer 0"),
    ]

    @Test(arguments: sound) func `an order that can be carried out is sound`(order: TransferOrder) {
        #expect(order.fault == nil)
    }

    @Test(arguments: faults) func `what can't be carried out has a sentence`(
        order: TransferOrder, words: String
    ) throws {
        let fault = try #require(order.fault)
        #expect(fault.contains(words) && fault.hasSuffix("."), "\(fault)")
        #expect(fault.utf8.count <= Limits.reasonBytes)
    }

    @Test func `a credential has a length and no line break`() {
        #expect(TransferAnswer.credential(user: "ä", password: "").fault == nil)
        #expect(TransferAnswer.credential(user: "a\r", password: "").fault != nil)
        let long = String(repeating: "p", count: Limits.credentialBytes + 1)
        #expect(TransferAnswer.credential(user: "a", password: long).fault != nil)
        #expect(TransferAnswer.cancel.fault == nil)
    }

    @Test func `each act has its number`() {
        #expect(TransferAct.allCases.map(\.number) == [1, 2, 3, 4, 5, 6])
        for act in TransferAct.allCases { #expect(TransferAct(number: act.number) == act) }
        #expect(TransferAct(number: 0) == nil && TransferAct(number: 7) == nil)
    }
}
