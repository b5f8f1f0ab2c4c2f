import Foundation
import LullModel
import Testing

@testable import LullScheduler

/// Every remedy that `lull why` names, followed: the gate opens, or the task runs.
@Suite struct `A gate's remedy that is followed` {
    @Test(arguments: GateRemedy.all) func `opens the gate or lets the task run`(_ row: GateRemedy) throws {
        let before = try row.host()
        let verdict = try #require(before.gate(row.gate, of: row.task))
        #expect(!verdict.isOpen, "\(verdict.reason)")
        let launches = before.launches(of: row.task).count
        for words in try row.commands {
            var host = before
            #expect(GateRemedy.carryOut(words, on: &host), "nobody knows \(words)")
            #expect(row.isMended(host, launchedBefore: launches), "after \(words): \(verdict.remedy ?? "")")
        }
        for (index, edit) in row.edits.enumerated() {
            var host = before
            edit(&host)
            #expect(
                row.isMended(host, launchedBefore: launches), "after edit \(index): \(verdict.remedy ?? "")")
        }
        #expect(try row.commands.count + row.edits.count > 0)
    }

    /// What these say is done by a person, at a time that no test can choose.
    private static let beyondTests = ["submit an identifier with something in the place of its asterisk"]

    /// A remedy that is new fails here until a row follows it.
    @Test func `is one of all that the sources have`() throws {
        let remedies = try GateRemedy.all.compactMap { try $0.remedy } + Self.beyondTests
        let sentences = try Self.sentences()
        #expect(sentences.count > 20)
        let unfollowed = sentences.filter { pieces in
            !remedies.contains { remedy in
                var rest = remedy[...]
                return pieces.allSatisfy { piece in
                    guard let found = rest.firstRange(of: piece) else { return false }
                    rest = rest[found.upperBound...]
                    return true
                }
            }
        }
        #expect(unfollowed.map { $0.joined(separator: "…") }.sorted() == [])
    }

    /// The literals behind `remedy:` in the sources of the gates, in the pieces between what is filled in.
    private static func sentences() throws -> [[String]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let names = [
            "Gates", "Gates+Time", "Gates+Times", "Gates+Conditions", "Moment", "SchedulerState+Disk",
        ]
        return try names.flatMap { name in
            let file = root.appendingPathComponent("Sources/LullScheduler/\(name).swift")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            return lines.indices.filter { lines[$0].contains("remedy:") }.compactMap { index in
                let line = lines[index].firstRange(of: "remedy:").map { lines[index][$0.upperBound...] } ?? ""
                // The literal may stand on the next line.
                let text =
                    line.contains("\"") ? String(line) : index + 1 < lines.count ? lines[index + 1] : ""
                return pieces(of: text)
            }
        }
    }

    /// Nil: no literal that is a sentence.
    private static func pieces(of line: String) -> [String]? {
        guard let start = line.firstIndex(of: "\"") else { return nil }
        var rest = line[line.index(after: start)...]
        var pieces = [""]
        var depth = 0
        while let character = rest.popFirst(), character != "\"" || depth > 0 {
            if character == "\\", rest.first == "(" {
                depth += 1
                rest.removeFirst()
                pieces.append("")
            } else if depth > 0 {
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        let said = pieces.filter { !$0.isEmpty }
        return said.contains { $0.contains(" ") } ? said : nil
    }
}
