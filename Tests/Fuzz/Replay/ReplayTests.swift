import Foundation
import LullManifest
import LullModel
import Testing

/// Runs each kept input through its check: the seeds, and all inputs that libFuzzer found.
struct ReplayTests {
    static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus")

    @Test(.timeLimit(.minutes(20)), arguments: FuzzCheck.allCases)
    func `what was ever found is found no more`(check: FuzzCheck) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.corpus.appending(path: check.rawValue), includingPropertiesForKeys: nil)
        #expect(files.count >= 15, "the corpus of '\(check)' has shrunk to \(files.count) inputs")
        for file in files {
            do {
                try check.run(Array(try Data(contentsOf: file)))
            } catch {
                Issue.record("Corpus/\(check)/\(file.lastPathComponent): \(error)")
            }
        }
    }

    @Test func `each folder of the corpus has its check`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(folders) == Set(FuzzCheck.allCases.map(\.rawValue)))
    }

    @Test func `the words for libFuzzer hold each key of the manifest`() throws {
        let words = Self.corpus.deletingLastPathComponent().appending(path: "Words/manifest")
        let text = try String(contentsOf: words, encoding: .utf8)
        for key in Key.allCases { #expect(text.contains("\"\(key.rawValue): \"\n"), "\(key.rawValue)") }
    }

    /// Works without libFuzzer's guidance, but on every machine that runs the tests.
    @Test(.timeLimit(.minutes(20)), arguments: FuzzCheck.allCases)
    func `no kept input with a few bytes changed is any worse`(check: FuzzCheck) throws {
        let folder = Self.corpus.appending(path: check.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        var random = SeededGenerator(seed: 5)
        for name in names {
            let whole = Array(try Data(contentsOf: folder.appending(path: name)))
            for round in 0..<5 where !whole.isEmpty {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) { random.change(&bytes) }
                do {
                    try check.run(bytes)
                } catch {
                    Issue.record("Corpus/\(check)/\(name), change \(round): \(error)\n\(bytes)")
                }
            }
        }
    }
}

extension SeededGenerator {
    mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &self)
        switch Int.random(in: 0..<4, using: &self) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1))
        case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &self)
        default:
            let end = min(bytes.count, place + Int.random(in: 0...32, using: &self))
            bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        }
    }
}
