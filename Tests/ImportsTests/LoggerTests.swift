import Foundation
import Testing

/// Messages of `os`, whose sources are compiled into these tests: the package does not build that module.
@Suite struct LoggerTests {
    private func shown(_ message: OSLogMessage) -> String { message.text(showingPrivate: false) }

    private enum Fault: Error { case first }

    @Test func `numbers are shown, texts and objects are not unless they are public`() {
        let owner = "somebody"
        #expect(shown("\(3) of \(owner) of \(owner, privacy: .public)") == "3 of <private> of somebody")
        #expect(shown("\(true) \(1.5) \(UInt8(7)) \(CGFloat(2))") == "true 1.500000 7 2.000000")
        #expect(shown("\(Fault.first) \(URL(filePath: "/a")) \([1])") == "<private> <private> <private>")
        #expect(shown("\(Fault.first, privacy: .public)") == "first")
        #expect(shown("\(3, privacy: .private) \(owner, privacy: .sensitive)") == "<private> <sensitive>")
        #expect(("\(owner)" as OSLogMessage).text(showingPrivate: true) == "somebody")
    }

    @Test func `a hash stands for the same text, and says nothing of it`() {
        let text = "somebody"
        let first = shown("\(text, privacy: .private(mask: .hash))")
        #expect(first == shown("\(text, privacy: .private(mask: .hash))"))
        #expect(first.hasPrefix("<mask.hash: ") && !first.contains(text))
    }

    @Test func `formats and columns are those that were asked for`() {
        #expect(shown("\(255, format: .hex) \(255, format: .hex(includePrefix: true))") == "ff 0xff")
        #expect(shown("\(-7, format: .decimal(minDigits: 3)) \(8, format: .octal)") == "-007 10")
        #expect(shown("\(7, format: .decimal(explicitPositiveSign: true))") == "+7")
        #expect(shown("\(1.0 / 3, format: .fixed(precision: 2))") == "0.33")
        #expect(shown("\(true, format: .answer)") == "yes")
        #expect(shown("[\(7, align: .right(columns: 3))]") == "[  7]")
        #expect(shown("[\("a", align: .left(columns: 3), privacy: .public)]") == "[a  ]")
    }

    @Test(arguments: [
        ("%d of %{public}@", [3, "all"] as [any Sendable], "3 of all"),
        ("%@ and %{private}d", ["a", 1], "<private> and <private>"), ("%.1f, 100 %%", [1.25], "1.2, 100 %"),
        ("%{public, uuid}s", ["a"], "a"), ("%lld %lu %x", [1, 2, 255], "1 2 ff"), ("%d", [], "<missing>"),
        ("all 100%", [], "all 100%"),
    ])
    func `a format of old takes its arguments`(format: String, arguments: [any Sendable], text: String) {
        #expect(FormattedMessage.text(of: format, arguments, showingPrivate: false) == text)
    }

    @Test func `levels are Lull's`() {
        let types: [OSLogType] = [.debug, .info, .default, .error, .fault]
        #expect(types.map(\.level) == [.debug, .info, .notice, .error, .critical])
    }

    @Test func `a lock lends its value to one thread at a time`() async {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { lock.withLock { $0 += 1 } } }
            }
        }
        #expect(lock.withLock { $0 } == 8000)
    }
}
