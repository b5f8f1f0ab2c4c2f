import Foundation
import Testing

/// The style as far as it is a fault to break it: forbidden imports, and words that have no place in a room.
struct TidyTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A room as `Package.swift` has it: what it may import of Lull and of packages stands there.
    struct Room: CustomTestStringConvertible {
        let name: String
        let wing: String
        let modules: Set<String>

        var folder: String { "Sources/\(wing)/\(name)" }
        var testDescription: String { name }

        /// Pure rooms import nothing of the toolchain, some have to stay small, and one needs the whole of it.
        var toolchain: Set<String> {
            let small: Set<String> = ["Glibc", "Synchronization", "Dispatch"]
            return switch name {
            case "LullSimulator", "LullImport": []
            case _ where wing == "Core": []
            case "BackgroundTransfers":
                small.union(["Foundation", "FoundationEssentials", "FoundationNetworking"])
            case "LullFleet": small.union(["FoundationEssentials"])
            case "LullSystem", "LullELF", "LullNotices", "LullWorkers", "LullTransfers", "lull-worker",
                "lull-transfer", "lull-simulate", "BackgroundTasksUI":
                small
            default: small.union(["Foundation", "FoundationEssentials", "GRDBSQLite"])
            }
        }
    }

    static let package =
        (try? String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)) ?? ""

    /// The wings' names in `Package.swift`, from the bottom up, by what its other lines call them.
    static let wings = package.matches(of: /\n    case (\w+) = "(\w+)"/).map { (String($0.1), String($0.2)) }

    static let rooms: [Room] = {
        let named = [
            "heap": "HeapModule", "numerics": "RealModule", "grdb": "GRDB",
            "arguments": "ArgumentParser", "logging": "Logging", "sockets": "FlyingSocks",
        ]
        // A room begins at its name and ends where the next one, or a comment, begins.
        return package.split(separator: /\n        (?=room\(|program\(|\.|\/\/|tests\()/).compactMap {
            block in
            guard let head = block.firstMatch(of: /^(?:room|program)\(\s*"([\w-]+)", in: \.(\w+)/),
                let wing = wings.first(where: { $0.0 == head.2 })?.1
            else { return nil }
            let list = block.firstMatch(of: /\[([^\]]*)\]/)?.1 ?? ""
            let modules =
                list.matches(of: /"([\w-]+)"/).map { String($0.1) }
                + list.matches(of: /\b\w+\b/).compactMap { named[String($0.0)] }
            return Room(name: String(head.1), wing: wing, modules: Set(modules))
        }
    }()

    @Test(arguments: rooms)
    func `a room imports what Package.swift gives it, all of that, and little of the toolchain`(_ room: Room)
        throws
    {
        var imported: Set<String> = []
        for file in try Self.swiftFiles(in: room.folder) {
            for module in try Self.lines(of: file).compactMap(Self.importedModule) {
                imported.insert(module)
                #expect(
                    room.modules.union(room.toolchain).contains(module),
                    "\(file.lastPathComponent) imports \(module)")
            }
        }
        #expect(room.modules.subtracting(imported) == [], "\(room.name) imports none of these")
    }

    @Test func `no room imports one of a wing that stands below its own`() throws {
        let order = Self.wings.map(\.1)
        #expect(order.count > 10 && Self.rooms.count > 30)
        let wings = Dictionary(uniqueKeysWithValues: Self.rooms.map { ($0.name, $0.wing) })
        for room in Self.rooms {
            let own = try #require(order.firstIndex(of: room.wing))
            for module in room.modules {
                guard let other = wings[module].flatMap(order.firstIndex) else { continue }
                #expect(other <= own, "\(room.name) imports \(module) of the wing \(order[other])")
            }
        }
    }

    @Test func `each folder of Sources is a wing, and its page names the rooms in it`() throws {
        let sources = Self.root.appendingPathComponent("Sources")
        let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path)
        #expect(folders.sorted() == Self.wings.map(\.1).sorted())
        for wing in folders {
            let folder = sources.appendingPathComponent(wing)
            let page = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
            #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 16, "\(wing)")
            for room in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where room != "README.md" {
                #expect(page.contains("`\(room)"), "\(wing)/README.md does not name \(room)")
            }
            for path in page.matches(of: /`((?:\w[\w-]*\/)+[\w+]+\.\w+)`/).map({ String($0.1) }) {
                #expect(
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
                        || FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(path).path),
                    "\(wing)/README.md names \(path)")
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
        for room in Self.rooms where room.toolchain.isEmpty || room.name == "LullManifest" {
            for file in try Self.swiftFiles(in: room.folder) {
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

    @Test(arguments: [
        ("Lull", "Core/LullModel/Provenance.swift", #"text = "([\d.]+)""#),
        ("[the manifest]", "Host/LullManifest/ValueProblem.swift", #"reads manifests of version (\d+)"#),
        (
            "[the plugin interface]", "C/CLullPlugin/include/lull_plugin.h",
            #"LULL_ABI_MAJOR (\d+)\n#define LULL_ABI_MINOR (\d+)"#
        ),
        (
            "[a plugin's schema of its settings]", "Host/LullManifest/Settings/SettingsSchema.swift",
            #"version: Int64 = (\d+)"#
        ),
        ("[the history's database]", "Host/LullHistory/HistorySchema.swift", #"let version = (\d+)"#),
        ("the history's checkpoint", "Core/LullScheduler/Ledger/Ledger.swift", #"let version = (\d+)"#),
        ("`manifest.json`", "Host/LullHost/ManifestInForce.swift", #"keptVersion = (\d+)"#),
        ("the JSON of the page", "../docs/openapi.yaml", #"\n  version: '([\d.]+)'"#),
        ("the control socket", "Host/LullControl/ControlFrame.swift", #"let version = (\d+)"#),
        ("[the wire]", "Core/LullWire/Wire.swift", #"version: UInt32 = (\d+)"#),
        ("the frames between", "Transfers/LullTransfers/TransferFrame.swift", #"let version = (\d+)"#),
    ])
    func `the manual names each format's version as the code does`(format: String, file: String, code: String)
        throws
    {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/" + file), encoding: .utf8)
        let match = try #require(try Regex(code).firstMatch(in: text), "\(file) has no \(code)")
        let version = match.output.dropFirst().compactMap(\.substring).joined(separator: ".")
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("docs/versions.md"), encoding: .utf8)
        let row = page.components(separatedBy: "\n").first { $0.hasPrefix("| " + format) }
        #expect(row?.components(separatedBy: " | ")[1] == version)
    }

    @Test(arguments: [
        ("CHANGELOG.md", #"\n## ([\d.]+)"#), ("Sources/C/CLullEntry/Entry.c", #"\.sdk = "swift ([\d.]+)""#),
        ("docs/openapi.yaml", #"\n  version: '([\d.]+)'"#),
    ])
    func `what states Lull's version agrees with the program`(file: String, place: String) throws {
        let source = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/Core/LullModel/Provenance.swift"),
            encoding: .utf8)
        let version = try #require(source.firstMatch(of: /text = "([\d.]+)"/)).1
        let text = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
        let stated = try #require(try Regex(place).firstMatch(in: text)?.output[1].substring)
        #expect(version == stated || version.hasPrefix(stated + "."))
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
