import LullModel
import Testing

/// Names as a shell's patterns take them, and events that become one.
struct NamePatternTests {
    @Test(arguments: [
        ("*.csv", ["a.csv", "a.b.csv"], ["a.txt", ".a.csv", "csv"]),
        ("sd?1", ["sda1"], ["sda", "sda12", "sdaa1"]),
        ("[a-c]*", ["a", "bc"], ["d", "dc"]),
        ("[!a]x", ["bx"], ["ax"]),
        ("[]]", ["]"], ["["]),
        (".*", [".a"], ["a"]),
        ("a*b*c", ["abc", "axbxc", "abbc"], ["acb", "ab"]),
        ("*", ["", "ä€"], [".hidden"]),
    ])
    func `a pattern takes`(pattern: String, these: [String], notThese: [String]) throws {
        let pattern = try #require(NamePattern(pattern))
        for name in these { #expect(pattern.fits(name), "\(name)") }
        for name in notThese { #expect(!pattern.fits(name), "\(name)") }
    }

    @Test func `a bracket that is not closed is no pattern`() {
        #expect(NamePattern("[a") == nil && NamePattern("a[") == nil)
    }

    @Test func `many stars take no longer than their lengths together`() throws {
        let pattern = try #require(NamePattern(String(repeating: "a*", count: 50) + "b"))
        #expect(!pattern.fits(String(repeating: "a", count: 2000)))
    }

    @Test func `events become one, and as many files are named as there is room for`() {
        var triggerEvent = TriggerEvent(.path, at: .init(seconds: 10))
        triggerEvent.add(["/a"])
        var other = TriggerEvent(.boot, at: .init(seconds: 5), count: 3)
        other.add((0..<200).map { "/srv/in/\($0)" } + ["/a"])
        triggerEvent.merge(other)
        #expect(triggerEvent.kinds == [.path, .boot] && triggerEvent.count == 4)
        #expect(triggerEvent.first == .init(seconds: 5) && triggerEvent.last == .init(seconds: 10))
        #expect(triggerEvent.paths.count == Limits.eventPaths && triggerEvent.paths.first == "/a")
        #expect(TriggerEvent(json: triggerEvent.json) == triggerEvent)
        #expect(TriggerEvent(json: .object([:])) == nil)
    }
}
