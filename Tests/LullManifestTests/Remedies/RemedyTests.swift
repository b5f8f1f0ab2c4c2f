import Foundation
import LullModel
import Testing

@testable import LullManifest

/// Every remedy of the manifest's reader is followed, and the result is accepted.
@Suite struct `A remedy that is followed` {
    @Test(arguments: Remedy.all) func `mends what it is said of`(_ remedy: Remedy) throws {
        let fix = try #require(remedy.fix, "nothing is said of it")
        #expect(remedy.faulty != remedy.mended || remedy.before.entries != remedy.after.entries)
        let rest = read(remedy.mended, on: remedy.after).diagnostics.filter { diagnostic in
            !remedy.leaves.contains { diagnostic.message.contains($0) }
        }
        #expect(rest.map { $0.rendered() }.joined(separator: "\n") == "", "after: \(fix)")
        if !remedy.isProse { #expect(!remedy.followed.isEmpty, "nothing of it was written: \(fix)") }
    }

    @Test(arguments: Deed.all) func `mends also what is not in the text`(_ deed: Deed) throws {
        #expect(try deed.said() != nil, "nothing is said of it")
        #expect(try deed.left() == nil)
    }

    /// Where a remedy gives a choice, each part of it is followed by a row.
    @Test func `is right in each of its proposals`() {
        var open: [String: Set<String>] = [:]
        for remedy in Remedy.all where !remedy.isProse {
            guard let fix = remedy.fix else { continue }
            let faulty = String(decoding: remedy.faulty, as: UTF8.self)
            let proposals = Remedy.proposals(in: fix).filter { !Self.isNoText($0) && !faulty.contains($0) }
            open[fix] = (open[fix] ?? Set(proposals)).subtracting(remedy.followed)
        }
        let left = open.filter { !$0.value.isEmpty }.map { "\($0.value.sorted()) of: \($0.key)" }
        #expect(left.sorted() == [])
    }

    private static let programs: Set<String> = [
        "chmod", "iconv", "sha256sum", "man", "apt-get", "getent", "systemctl", "setfacl", "timedatectl",
        "lull",
    ]

    /// A command, a place to be filled in, or a character that is named.
    private static func isNoText(_ proposal: String) -> Bool {
        proposal.contains("…") || proposal.count == 1 || proposal == "- "
            || ["NAME", "PATH", "USER", "FILE"].contains(where: proposal.contains)
            || programs.contains(String(proposal.prefix { $0 != " " }))
    }

    /// A sentence that is new fails here until a row follows it.
    @Test func `is one of all that the sources have`() throws {
        let fixes = Set(
            try Remedy.all.compactMap(\.fix) + Deed.all.compactMap { try $0.said() } + Self.beyondTests)
        let sentences = try RemedySentences.all()
        #expect(sentences.count > 150)
        let unfollowed = sentences.filter { sentence in !fixes.contains { sentence.matches($0) } }
        #expect(unfollowed.map(\.text).sorted() == [])
    }

    /// Remedies that no test can bring about: for a disk that fails, for another user's file where the tests run as root, and
    /// for the contents of a plugin's file, which the tests of `lull plugin check` cover. The others concern links and a
    /// host's manifest in force (`PluginProblemTests`, `IncludeTests`).
    private static let beyondTests = [
        "check the disk and the path",
        "run lull as the user who owns the file, or `chmod` it so that you can read it",
        "use a path on which every folder belongs to you or root", "use a copy that belongs to you or root",
        "shorten it: write descriptions of one line", "declare one",
        "build or install the link's target, or create the link again",
        "put them back; to run nothing, stop the host or run `lull pause --all`",
        "make sure that its folder exists and is mounted; to include nothing, leave a file there with ",
        "`version: 1` and `apps: {}`",
    ]
}
