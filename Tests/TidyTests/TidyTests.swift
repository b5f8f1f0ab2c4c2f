import Foundation
import Testing

/// The style as far as it is a fault to break it: forbidden imports, and words that have no place in a room.
struct TidyTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What each room may import beyond the standard library; the directions may not turn. `Package.swift` gives each
    /// what stands here of Lull and of packages.
    static let rooms: [String: Set<String>] = [
        "LullModel": [],
        "LullCalendar": ["LullModel"],
        "LullForecast": ["LullModel", "RealModule"],
        "LullScheduler": [
            "LullModel", "LullCalendar", "LullForecast", "HeapModule", "RealModule",
        ],
        "LullSimulator": ["LullModel", "LullCalendar", "LullScheduler", "LullWire"],
        "LullWire": ["LullModel"],
        "LullImport": ["LullModel", "LullCalendar"],
        "LullManifest": [
            "LullModel", "LullCalendar", "CYAML", "CLullShims", "Foundation", "FoundationEssentials", "Glibc",
        ],
        "LullHistory": [
            "LullModel", "CLullShims", "GRDB", "GRDBSQLite", "Foundation", "FoundationEssentials", "Glibc",
            "Synchronization", "Dispatch",
        ],
        "LullSystem": ["LullModel", "CLullShims", "Glibc", "Synchronization"],
        "LullConditions": [
            "LullModel", "LullSystem", "CLullShims", "Glibc", "Foundation", "FoundationEssentials",
        ],
        "LullUsage": [
            "LullModel", "LullHistory", "LullSystem", "Glibc", "Foundation", "FoundationEssentials",
        ],
        "LullNotices": ["LullModel", "LullHistory", "LullSystem", "CLullShims", "Glibc"],
        "LullWorkers": [
            "LullModel", "LullWire", "LullELF", "LullSystem", "CLullShims", "Glibc", "Synchronization",
        ],
        "LullTransfers": ["LullModel", "LullWire", "LullSystem", "CLullShims", "Glibc"],
        "LullFleet": [
            "LullModel", "LullSystem", "CLullShims", "FoundationEssentials", "Glibc", "Synchronization",
        ],
        "LullControl": [
            "LullModel", "LullHistory", "LullSystem", "LullELF", "CLullShims", "Foundation", "Glibc",
        ],
        "LullPluginCheck": [
            "LullModel", "LullWire", "LullELF", "LullSystem", "LullWorkers", "Glibc",
        ],
        "LullELF": ["CLullPlugin", "Glibc"],
        "LullAnswers": ["LullModel", "LullHistory", "Foundation"],
        "LullWeb": [
            "CLullPage", "LullModel", "LullControl", "LullHistory", "LullELF", "LullAnswers", "FlyingSocks",
            "Foundation", "Glibc",
            "Synchronization",
        ],
        "LullHost": [
            "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
            "LullConditions", "LullUsage", "LullNotices", "LullWire", "LullWorkers", "LullTransfers",
            "LullControl", "LullFleet", "Logging",
            "Foundation", "Glibc", "Synchronization",
        ],
        "LullCommands": [
            "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem", "LullConditions",
            "LullELF", "LullWorkers", "LullFleet", "LullControl", "LullHost", "LullAnswers", "ArgumentParser",
            "Foundation", "Glibc", "Synchronization",
        ],
        "lull": [
            "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
            "LullConditions", "LullUsage", "LullNotices", "LullELF", "LullWorkers",
            "LullControl", "LullFleet", "LullHost", "LullAnswers", "LullCommands",
            "ArgumentParser",
            "Logging", "Foundation", "Glibc", "Synchronization", "Dispatch",
        ],
        "lull-lab": [
            "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem", "LullConditions",
            "LullUsage", "LullHost", "LullSimulator", "LullCommands", "ArgumentParser", "Foundation", "Glibc",
            "Synchronization", "Dispatch",
        ],
        "lull-page": [
            "LullModel", "LullHistory", "LullSystem", "LullControl", "LullHost", "LullAnswers", "LullWeb",
            "LullCommands", "ArgumentParser", "Foundation", "Glibc", "Synchronization", "Dispatch",
        ],
        "lull-import": [
            "LullModel", "LullManifest", "LullImport", "LullCommands", "ArgumentParser", "Foundation",
            "Glibc",
        ],
        "lull-plugin": [
            "LullModel", "LullManifest", "LullSimulator", "LullHost", "LullPluginCheck", "LullCommands",
            "ArgumentParser", "Foundation", "Glibc",
        ],
        "lull-simulate": ["LullModel", "LullSimulator", "ArgumentParser", "Dispatch", "Synchronization"],
        "lull-train": [
            "LullModel", "LullForecast", "LullSimulator", "LullUsage", "LullELF", "ArgumentParser",
            "RealModule", "Foundation",
        ],
        "lull-worker": [
            "LullModel", "LullELF", "LullWire", "CLullPlugin", "CLullShims", "Glibc", "Synchronization",
        ],
        "lull-transfer": ["LullModel", "LullSystem", "LullTransfers", "CLullShims", "CLullCurl", "Glibc"],
        "BackgroundTasks": [
            "CLullPlugin", "CLullEntry", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization",
            "Glibc",
        ],
        "BackgroundTasksUI": ["BackgroundTasks", "Synchronization"],
        "UserNotifications": ["CLullPlugin", "CLullEntry", "Foundation"],
        "BackgroundTransfers": [
            "BackgroundTasks", "CLullPlugin", "CLullEntry", "Foundation", "FoundationNetworking",
            "Synchronization",
        ],
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

    /// What has no line of its own among the targets: the toolchain's.
    private static let toolchain: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Synchronization",
        "Dispatch", "GRDBSQLite",
    ]

    @Test func `a room depends on what it may import, and on nothing that it does not`() throws {
        let package = try String(
            contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let named = [
            "heap": ["HeapModule"], "numerics": ["RealModule"], "grdb": ["GRDB"],
            "arguments": ["ArgumentParser"], "logging": ["Logging"], "sockets": ["FlyingSocks"],
        ]
        var found: Set<String> = []
        // A room begins at its name and ends where the next one, or a comment, begins.
        for block in package.split(separator: /\n        (?=room\(|\.|\/\/|tests\()/) {
            guard
                let room = block.firstMatch(of: /^\s*(?:room\(|\.(?:executableT|t)arget\()[^"]*"([\w-]+)"/)?
                    .1,
                let permitted = Self.rooms[String(room)]
            else {
                let isRoom = block.hasPrefix("room(") || block.hasPrefix(".executableTarget(")
                #expect(!isRoom, "nothing says what may be imported by\n\(block)")
                continue
            }
            found.insert(String(room))
            let list = block[room.endIndex...].firstMatch(of: /\[([^\]]*)\](?: \+ (\w+))?/)
            var modules = Set(list.map { $0.1.matches(of: /"([\w-]+)"/).map { String($0.1) } } ?? [])
            let words =
                list.map { $0.1.matches(of: /\b\w+\b/).map { String($0.0) } + [$0.2.map(String.init)] } ?? []
            for word in words { modules.formUnion(word.flatMap { named[$0] } ?? []) }
            #expect(modules == permitted.subtracting(Self.toolchain), "\(room)")
            let imported = Set(
                try Self.swiftFiles(in: "Sources/" + room).flatMap { try Self.lines(of: $0) }
                    .compactMap(Self.importedModule))
            #expect(modules.subtracting(imported) == [], "\(room) imports none of these")
        }
        #expect(Set(Self.rooms.keys) == found)
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
            "LullModel", "LullCalendar", "LullForecast", "LullScheduler", "LullSimulator", "LullManifest",
            "LullWire",
            "LullImport",
        ]
        for room in rooms {
            for file in try Self.swiftFiles(in: "Sources/" + room) {
                let text = try String(contentsOf: file, encoding: .utf8)
                for word in [
                    "Date()", " Clock.", "(Clock.", "import LullSystem", "ContinuousClock", "clock_gettime",
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
            for match in text.matches(of: /\]\(([^)#:]*)(#[^)]*)?\)/) {
                let target =
                    match.1.isEmpty
                    ? file : file.deletingLastPathComponent().appendingPathComponent(String(match.1))
                #expect(
                    FileManager.default.fileExists(atPath: target.path),
                    "\(file.lastPathComponent) links to \(match.1)")
                guard let anchor = match.2?.dropFirst(), target.pathExtension == "md",
                    let page = try? String(contentsOf: target, encoding: .utf8)
                else { continue }
                #expect(
                    Self.anchors(of: page).contains(String(anchor)),
                    "\(file.lastPathComponent) links to \(match.1)#\(anchor)")
            }
        }
    }

    /// Of a page's headings, as the forge makes them.
    private static func anchors(of page: String) -> Set<String> {
        Set(
            page.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map { line in
                String(
                    line.drop { $0 == "#" }.dropFirst().lowercased().compactMap { character in
                        character == " "
                            ? "-"
                            : character.isLetter || character.isNumber || "-_".contains(character)
                                ? character : nil
                    })
            })
    }

    @Test(arguments: ["docs/reliability.md", "docs/evidence.md"])
    func `the tests that stand for a promise are there`(page: String) throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
        let files = try Self.swiftFiles(in: "Tests")
        let known = Set(
            files.flatMap { file in
                [file, file.deletingLastPathComponent()].map { $0.deletingPathExtension().lastPathComponent }
            })
        let names = Set(page.matches(of: /`(?:\w+\/)?(\w+Tests)`/).map { String($0.1) })
        #expect(names.count > 8)
        let missing = try names.subtracting(known).filter { name in
            try !files.contains { try String(contentsOf: $0, encoding: .utf8).contains("struct \(name) ") }
        }
        #expect(missing.isEmpty)
    }

    @Test(arguments: [
        ("docs/behaviour.md", 80), ("docs/confinement.md", 20), ("docs/transfers.md", 40),
        ("docs/fleet.md", 20),
    ])
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
        // The expression alone takes a minute for all lines.
        guard line.contains("import "),
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
