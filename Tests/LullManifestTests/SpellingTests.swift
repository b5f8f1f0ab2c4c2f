import LullModel
import Testing

@testable import LullManifest

struct SpellingTests {
    @Test(arguments: [
        ("repaet", "repeat"), ("REPEAT", "repeat"), ("time-limit", "time_limit"), ("requires", "requires"),
        ("require", "requires"), ("kin", "kind"),
    ])
    func `a slip of the finger finds its word`(_ slip: String, _ word: String) {
        #expect(Spelling.nearest(to: slip, among: Place.task.keys.map(\.rawValue)) == word)
    }

    @Test(arguments: ["", "colour", "x", "repetition"])
    func `what resembles nothing finds nothing`(_ word: String) {
        #expect(Spelling.nearest(to: word, among: ["repeat", "requires", "kind"]) == nil)
    }
}
