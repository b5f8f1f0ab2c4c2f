import Foundation
import TestSupport
import Testing

/// Frames that no real worker sends to its host (`docs/attacks.md`): the host goes on, runs the neighbour, and names each act.
struct StormTests {
    private static let wire = "to its socket, which is the worker's alone."
    /// For each act, text that the history has to contain; empty: the result depends on timing.
    static let acts = [
        "advance": "completed succeeded", "times": "completed succeeded", "foreign": "completed succeeded",
        "neighbour": "completed succeeded", "completes": "which is not one of its open runs",
        "last": "It completed run 18446744073709551615, which is not one of its open runs.",
        "hello": "It introduced itself twice.", "failed": "It says that it failed:",
        "encoding": "text that is not UTF-8 \(wire)", "nul": "completed succeeded",
        "short": "a frame that is cut short \(wire)", "surplus": "4 bytes too many \(wire)",
        "unknown": "a frame of the unknown type 200 \(wire)", "long": "a frame of 131073 bytes",
        "level": "the value 7, which means nothing there \(wire)",
        "length": "its socket, which is the worker's alone",
        "sametwice": "It began the activity 'twice', which it may not.",
        "unbegun": "It ended activity 70, which is not open.",
        "toomany": "It began the activity 'many', which it may not.",
        "late": "It registered 'com.example.Quiet.work', which it may not.",
        "wildcard": "It registered 'com.example.Wildcard.*', which it may not.",
        "register": "It registered more than 10000 identifiers that a wildcard permits.",
        "asks": "", "cancels": "",
        "withdraws": "completed succeeded", "violates": "completed succeeded",
        "titles": "completed succeeded",
        "empty": "completed succeeded", "skips": "completed succeeded", "holds": "completed succeeded",
        "filter": "completed succeeded", "narrow": "completed succeeded",
        "urgent": "completed succeeded", "renamed": "completed succeeded",
        "mute": "It closed its socket to the host.",
    ]

    @Test func `what is no worker's frame costs its own run, and the neighbour is run`() throws {
        let workshop = try Workshop()
        try workshop.compile("Storm", as: "Storm")
        var text = """
            version: 1
            defaults:
              idle_after: never
              time_limit: 1h
              grace: { warning: 1s, kill: 1s }
              retry: { first: 5h, max: 5h }
              requires: { idle: false }
            apps:
              com.example.Quiet:
                plugin: Storm
                settings: { act: none }
                tasks: { work: { kind: processing, repeat: 1d } }

            """
        for act in Self.acts.keys.sorted() {
            text += """
                  com.example.\(act.capitalized):
                    plugin: Storm
                    settings: { act: \(act) }
                    tasks:
                      \(act): { kind: processing, repeat: 1d }
                      any.*: { kind: continued }

                """
        }
        try workshop.write(text, to: "jobs.yaml")
        let pass = try workshop.lull("run", "--once", "jobs.yaml")
        #expect(!pass.error.contains("jobs.yaml:"), "\(pass.error)")
        let said = (pass.output + pass.error).unicodeScalars
        #expect(!said.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(pass.output)\(pass.error)")
        let history = try Self.history(workshop)
        for (act, words) in Self.acts {
            let lines = history["com.example.\(act.capitalized)"] ?? []
            #expect(words.isEmpty || lines.contains { $0.contains(words) }, "\(act): \(lines)")
            // An app may submit and cancel a thousand times at once; the history records no other flood.
            #expect(lines.count < (act == "cancels" ? 2500 : 150), "\(act): \(lines.count)")
        }
        #expect(history["com.example.Quiet"]?.contains { $0.contains("completed succeeded") } == true)
        #expect(
            !history.values.joined().contains {
                $0.contains("forged") && !$0.contains("It says that it failed")
            })
    }

    /// The events of each app, as "EVENT OUTCOME REASON".
    private static func history(_ workshop: Workshop) throws -> [String: [String]] {
        var lines: [String: [String]] = [:]
        for line in try workshop.lull("history", "--json").output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            let words = ["event", "outcome", "reason"].compactMap { object[$0] as? String }
            lines[object["app"] as? String ?? "", default: []].append(words.joined(separator: " "))
        }
        return lines
    }
}
