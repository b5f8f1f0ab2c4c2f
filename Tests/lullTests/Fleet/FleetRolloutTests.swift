import ArgumentParser
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// The text for people about the manifest that hosts follow.
struct FleetRolloutTests {
    private func rollout(_ state: FleetRollout.State, share: Double = 100) -> FleetRollout {
        var rollout = FleetRollout(
            FleetManifestName(7, hash: "3e4f9a11c0ffee00"), by: "ops@desk", state, share: share)
        (rollout.ago, rollout.followers, rollout.wanted, rollout.has) = (120_000, 40, 40, 39)
        return rollout
    }

    @Test func `one that is tried says where, for how long, and how it fares`() {
        var tried = rollout(.watched)
        tried.left = 3_479_001
        tried.late = ["web3"]
        #expect(
            tried.sentences == [
                "Manifest 7 (3e4f9a11), applied 2 min ago by ops@desk, is on trial for another 58 min: 39 of 40 hosts have it, "
                    + "and no run has ended there yet.",
                "Not up to date yet: web3.",
            ])
        tried = rollout(.watched, share: 5)
        (tried.left, tried.wanted, tried.has, tried.runs, tried.failed) = (-1, 2, 0, 12, 1)
        tried.canaries = ["web1", "web2"]
        #expect(
            tried.sentences == [
                "Manifest 7 (3e4f9a11), applied 2 min ago by ops@desk, is on trial until a host has it: 0 of 2 canaries "
                    + "(web1 and web2) have it, and 1 of 12 runs failed there."
            ])
    }

    @Test func `one that is over says whether it is in force, or why not`() {
        var whole = rollout(.whole)
        whole.refusals = [.init(name: "web3", number: 7, sentence: "fleet.yaml:3: no.\u{1B}[31m")]
        let lines = whole.sentences
        #expect(
            lines[0]
                == "Manifest 7 (3e4f9a11), applied 2 min ago by ops@desk, is in force: 39 of 40 hosts that follow have it."
        )
        #expect(
            lines[1].hasPrefix("web3 can't take manifest 7: fleet.yaml:3: no.")
                && !lines[1].contains("\u{1B}"))
        var back = rollout(.withdrawn)
        back.reason = "web3, which tried it, fell silent"
        back.current = 6
        #expect(
            back.sentences == [
                "Manifest 7 (3e4f9a11), applied 2 min ago by ops@desk, was taken back: web3, which tried it, fell silent. "
                    + "Manifest 6 is in force."
            ])
        back.current = 0
        #expect(back.sentences[0].hasSuffix("fell silent. There is no manifest before it."))
    }

    @Test func `status has it under the first line, and in JSON`() throws {
        var report = FleetReport(now: 0, version: 1)
        let whole = rollout(.whole)
        report.rollout = whole
        let text = FleetStatusText(
            report: report, name: "lull", phrases: Phrases(now: WallTime(milliseconds: 0), zone: .utc),
            showsAll: false
        ).rendered(for: Terminal(columns: 120))
        let lines = text.split(separator: "\n")
        #expect(lines[1].hasPrefix("Manifest 7 (3e4f9a11), applied 2 min ago"))
    }

    @Test(arguments: [
        ("5%", 5.0), ("0.1%", 0.1), ("100%", 100), ("5", nil), ("0%", nil), ("101%", nil), ("x%", nil),
        ("nan%", nil),
    ])
    func `a share is a part of a hundred`(text: String, share: Double?) {
        #expect(ShareArgument(argument: text)?.share == share)
    }

    @Test(arguments: [
        (["--back", "a.yaml"], "--back takes back"), ([], "Name the manifest to apply"),
        (["a.yaml", "--now", "--canary", "5%"], "--now"), (["a.yaml", "--for", "31d"], "30d at most"),
    ])
    func `what does not go together is refused`(words: [String], sentence: String) {
        do {
            _ = try Lull.parseAsRoot(["fleet", "apply"] + words)
            Issue.record("\(words) were taken")
        } catch {
            #expect(Lull.message(for: error).contains(sentence), "\(Lull.message(for: error))")
        }
    }
}
