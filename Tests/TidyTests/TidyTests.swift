import Foundation
import Testing

/// The style as far as it is a fault to break it: forbidden imports, and words that have no place in a room.
struct TidyTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// DESIGN: what a room may import beyond the standard library; the directions may not turn.
    static let rooms: [String: Set<String>] = [
        "LullModel": [],
        "LullForecast": ["LullModel", "RealModule"],
        "LullScheduler": [
            "LullModel", "LullForecast", "Collections", "HeapModule", "OrderedCollections", "DequeModule",
            "RealModule",
        ],
        "LullSimulator": ["LullModel", "LullForecast", "LullScheduler", "LullWire", "LullSession"],
        "LullWire": ["LullModel"],
        "LullSession": ["LullModel", "LullWire"],
        "LullPlot": [],
        "LullImport": ["LullModel"],
        "LullManifest": ["LullModel", "CYAML", "CLullShims", "Foundation", "FoundationEssentials", "Glibc"],
        "LullHistory": [
            "LullModel", "CLullShims", "GRDB", "GRDBSQLite", "Foundation", "FoundationEssentials", "Glibc",
            "Synchronization", "Dispatch",
        ],
        "LullLoop": ["LullModel", "CLullShims", "Glibc", "Synchronization"],
        "LullConditions": [
            "LullModel", "LullLoop", "CLullShims", "Glibc", "Foundation", "FoundationEssentials",
        ],
        "LullUsage": [
            "LullModel", "LullHistory", "LullLoop", "CLullShims", "Glibc", "Foundation",
            "FoundationEssentials",
        ],
        "LullNotices": ["LullModel", "LullHistory", "LullLoop", "CLullShims", "Glibc"],
        "LullWorkers": [
            "LullModel", "LullWire", "LullSession", "LullLoop", "CLullShims", "Glibc", "Synchronization",
        ],
        "LullControl": ["LullModel", "LullWire", "LullLoop", "CLullShims", "Foundation", "Glibc"],
        "LullPluginCheck": [
            "LullModel", "LullWire", "LullSession", "LullELF", "LullLoop", "LullWorkers", "Glibc",
        ],
        "LullELF": ["CLullPlugin", "Glibc"],
        "LullWeb": [
            "LullModel", "LullControl", "LullHistory", "FlyingSocks", "Foundation", "Glibc",
            "Synchronization",
        ],
        "lull-worker": [
            "LullModel", "LullELF", "LullWire", "CLullPlugin", "CLullShims", "Glibc", "Synchronization",
        ],
        "BackgroundTasks": [
            "CLullPlugin", "CLullEntry", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization",
            "Glibc",
        ],
        "BackgroundTasksUI": ["BackgroundTasks", "Synchronization"],
    ]

    @Test(arguments: rooms.keys.sorted())
    func `a room imports only what the design lets it`(room: String) throws {
        let permitted = try #require(Self.rooms[room])
        let files = try Self.swiftFiles(in: "Sources/" + room)
        for file in files {
            for line in try Self.lines(of: file) {
                guard let module = Self.importedModule(line) else { continue }
                #expect(permitted.contains(module), "\(file.lastPathComponent) imports \(module)")
            }
        }
    }

    @Test func `the words that hide faults stand beside a reason or nowhere`() throws {
        let words = [
            "try!", "as!", "fatalError(", "@unchecked Sendable", "nonisolated(unsafe)", "unsafeBitCast(",
        ]
        for file in try Self.swiftFiles(in: "Sources") + Self.swiftFiles(in: "plugins") {
            let lines = try Self.lines(of: file)
            for (index, line) in lines.enumerated()
            where !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                for word in words where line.contains(word) {
                    let context = lines[max(0, index - 6)...index].joined(separator: "\n")
                    #expect(
                        context.contains("//"),
                        "\(file.lastPathComponent):\(index + 1): \(word) without a reason")
                }
            }
        }
    }

    @Test func `the clock is read at the shell's edge alone`() throws {
        let rooms = [
            "LullModel", "LullForecast", "LullScheduler", "LullSimulator", "LullManifest", "LullWire",
            "LullSession", "LullPlot", "LullImport",
        ]
        for room in rooms {
            for file in try Self.swiftFiles(in: "Sources/" + room) {
                let text = try String(contentsOf: file, encoding: .utf8)
                for word in [
                    "Date()", " Clock.", "(Clock.", "import LullLoop", "ContinuousClock", "clock_gettime",
                    "random()",
                    "SystemRandomNumberGenerator",
                ] {
                    #expect(!text.contains(word), "\(file.lastPathComponent) has \(word)")
                }
            }
        }
    }

    @Test func `no test sleeps`() throws {
        for file in try Self.swiftFiles(in: "Tests") where file.lastPathComponent != "TidyTests.swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for word in ["Thread.sleep", "Task.sleep", " usleep(", " sleep("] {
                #expect(!text.contains(word), "\(file.lastPathComponent) has\(word)")
            }
            // A wait that is told nothing is a sleep. Those that kill and starve hosts need it: for the moment at which
            // they strike, which is drawn, and between two looks at what another process does.
            guard file.deletingLastPathComponent().lastPathComponent != "CrashTests" else { continue }
            for match in text.matches(of: /_ = \w+\.wait\(timeout|== \.timedOut/) {
                Issue.record("\(file.lastPathComponent) sleeps: \(match.0)")
            }
        }
    }

    @Test func `links in the documents lead to files that exist`() throws {
        let top = try FileManager.default.contentsOfDirectory(at: Self.root, includingPropertiesForKeys: nil)
        let docs = try FileManager.default.contentsOfDirectory(
            at: Self.root.appendingPathComponent("docs"), includingPropertiesForKeys: nil)
        #expect(!top.isEmpty && !docs.isEmpty)
        for file in (top + docs) where file.pathExtension == "md" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
                let target = file.deletingLastPathComponent().appendingPathComponent(String(match.1)).path
                #expect(
                    FileManager.default.fileExists(atPath: target),
                    "\(file.lastPathComponent) links to \(match.1)")
            }
        }
    }

    @Test(arguments: [("docs/behaviour.md", 80), ("docs/confinement.md", 20)])
    func `each test that a page names for what it claims is there`(page: String, atLeast: Int) throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
        var sources: [String: String] = [:]
        var count = 0
        for row in page.components(separatedBy: "\n") where row.hasPrefix("| ") {
            let cells = row.components(separatedBy: " | ")
            guard let last = cells.last, cells.count > 1, last.contains("Tests: ") else { continue }
            for part in last.components(separatedBy: "; ") {
                guard let target = part.firstMatch(of: /^(\w+Tests):/).map({ String($0.1) }) else {
                    Issue.record("no test target stands before: \(part)")
                    continue
                }
                if sources[target] == nil {
                    sources[target] = try Self.swiftFiles(in: "Tests/" + target)
                        .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
                }
                for name in part.matches(of: /`([^`]+)`/) {
                    count += 1
                    #expect(
                        sources[target]?.contains("func `\(name.1)`") == true,
                        "\(target) has no test '\(name.1)'")
                }
            }
        }
        #expect(count > atLeast)
    }

    private static func importedModule(_ line: String) -> String? {
        guard
            let match = line.firstMatch(
                of:
                    /^(?:@\w+(?:\([^)]*\))?\s+)*(?:public |private |internal |package )?import (?:\w+ )?([\w.]+)/
            )
        else {
            return nil
        }
        return String(match.1.prefix { $0 != "." })
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    private static func swiftFiles(in folder: String) throws -> [URL] {
        let enumerator = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        var files: [URL] = []
        while let file = enumerator?.nextObject() as? URL {
            if file.pathExtension == "swift" { files.append(file) }
        }
        #expect(!files.isEmpty, "there is no Swift in \(folder)")
        return files
    }
}
