import Foundation
import LullModel
import Testing

@testable import LullManifest

/// The schema for editors and the reader never disagree: every manifest of these tests, of the documents and of the fuzzers'
/// corpus goes through both.
struct SchemaTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Good ones and bad ones, each with where it is from.
    private static func corpus() throws -> [(name: String, bytes: [UInt8])] {
        let cases: [[Case]] = [
            AnchorProblemTests.cases, AtProblemTests.cases, BudgetTests.cases, FleetProblemTests.cases,
            IdentifierProblemTests.cases,
            PluginProblemTests.cases, ScalarProblemTests.cases, SenseProblemTests.cases,
            SettingProblemTests.cases, StructureProblemTests.cases, UsageProblemTests.cases,
            ValueProblemTests.cases, WindowProblemTests.cases,
        ]
        var corpus = cases.flatMap(\.self).map { ($0.name, $0.bytes) }
        for file in try files(in: "Tests/Fuzz/Corpus/manifest") {
            corpus.append((file.lastPathComponent, [UInt8](try Data(contentsOf: file))))
        }
        let pages = try files(in: "docs").filter { $0.pathExtension == "md" }
        for page in pages + [root.appendingPathComponent("README.md")] {
            let text = try String(contentsOf: page, encoding: .utf8)
            for block in text.components(separatedBy: "```yaml\n").dropFirst() {
                let yaml = block.components(separatedBy: "\n```")[0] + "\n"
                corpus.append((page.lastPathComponent, Array(yaml.utf8)))
            }
        }
        let own = try Data(contentsOf: root.appendingPathComponent("jobs.yaml"))
        return corpus + [("jobs.yaml", [UInt8](own))]
    }

    private static func files(in folder: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    @Test func `what the reader accepts the schema accepts, and what is wrong in shape both refuse`() throws {
        let validator = SchemaValidator(root: ManifestSchema.json)
        var (accepted, refused) = (0, 0)
        for (name, bytes) in try Self.corpus() where !bytes.isEmpty && TextScan.problems(in: bytes).isEmpty {
            var parser = DocumentParser(bytes)
            parser.parse()
            // A text that is no YAML, or has tags, is for neither of them.
            guard parser.cut == nil, parser.problems.found.isEmpty, let node = parser.document.root else {
                continue
            }
            let isAccepted = try validator.accepts(json(parser.document, node))
            let result = read(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            if result.manifest != nil {
                accepted += 1
                #expect(isAccepted, "\(name): the schema refuses what the reader accepts\n\(text)")
            }
            if let problem = result.diagnostics.map(\.problem).first(where: isOfShape) {
                refused += 1
                #expect(!isAccepted, "\(name): the schema accepts, though \(problem.message)\n\(text)")
            }
        }
        #expect(accepted >= 50 && refused >= 80, "\(accepted) accepted, \(refused) refused")
    }

    /// Whether a schema can report the problem too. It sees neither duplicate keys nor YAML's merge key.
    private func isOfShape(_ problem: ManifestProblem) -> Bool {
        switch problem {
        case .structure(let problem):
            switch problem {
            case .rootIsNotAMapping, .entryIsNotAMapping, .unknownKey, .misplacedKey, .reservedKey,
                .missingKey, .missingKind, .otherName, .otherWay, .meantForPlugin, .notDeeper:
                true
            default: false
            }
        case .value(let problem):
            switch problem {
            case .wrongType, .noValue, .notAChoice, .unsupportedVersion, .digest: true
            default: false
            }
        case .usage(let problem):
            switch problem {
            case .notASource, .noSources, .saysNoSource, .twoSources, .onlyOfLogs: true
            default: false
            }
        case .notice(let problem):
            switch problem {
            case .notAList, .notASink, .twoSinks, .saysNoSink, .isOff, .emptyCommand, .toldOfNothing,
                .address,
                .webAddress, .expectation, .quota:
                true
            default: false
            }
        case .setting(.reserved), .identifier(.app), .identifier(.task): true
        default: false
        }
    }

    @Test func `each key of each place is in the schema, described`() throws {
        for place in Place.allCases {
            for key in place.keys {
                let meaning = key.meaning(in: place)
                #expect(meaning.hasSuffix(".") && meaning.count > 5, "\(key)")
                #expect(!ManifestSchema.shape(of: key, in: place).isEmpty)
            }
        }
    }

    /// As an editor's YAML would have it, but that another spelling of a number or boolean is text: it knows of those, and
    /// the reader refuses them.
    private func json(_ document: Document, _ id: Int) -> JSONValue {
        let id = document.resolve(id)
        switch document.nodes[id].shape {
        case .quoted: return .string(document.text(id))
        case .plain:
            if document.isEmpty(id) { return .null }
            let text = document.text(id)
            if text == "true" || text == "false" { return .bool(text == "true") }
            if let number = Int64(text) { return .integer(number) }
            return QuantityText.decimal(text[...]).map { .number($0) } ?? .string(text)
        case .sequence: return .array(document.contents(of: id).map { json(document, $0) })
        case .mapping:
            var members: [String: JSONValue] = [:]
            var entries = document.contents(of: id)
            while let key = entries.next(), let value = entries.next() {
                members[document.text(document.resolve(key))] = json(document, value)
            }
            return .object(members)
        case .alias, .refused: return .null
        }
    }
}
