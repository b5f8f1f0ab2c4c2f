/// A plugin in Swift: a library with the work, which tests call, and the plugin itself around it.
extension PluginTemplate {
    var swiftFiles: [(path: String, text: String)] {
        [
            ("Package.swift", package), ("Sources/\(name)/\(name)App.swift", swiftApp),
            ("Sources/\(name)Kit/Greetings.swift", swiftWork),
            ("Tests/\(name)KitTests/GreetingsTests.swift", swiftTest),
        ]
    }

    private var package: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        /// Where Lull's SDK is: LULL_SDK, or else where it was when this folder was made.
        let sdk = Context.environment["LULL_SDK"] ?? "\(sdk)"

        let package = Package(
            name: "\(name)",
            products: [
                // The plugin: .build/debug/lib\(name).so
                .library(name: "\(name)", type: .dynamic, targets: ["\(name)"])
            ],
            dependencies: [
                .package(name: "LullSDK", path: sdk)
            ],
            targets: [
                // Has the `main` of the plugin, so no test can import it: the work is in \(name)Kit. For files of an app for iOS
                // that import UIKit, SwiftUI, os or Network, add the product of that name.
                .target(name: "\(name)", dependencies: ["\(name)Kit", .product(name: "BackgroundTasks", package: "LullSDK")]),
                .target(name: "\(name)Kit"),
                .testTarget(name: "\(name)KitTests", dependencies: ["\(name)Kit"]),
            ]
            // For code that an app for iOS has in Swift 5, put a comma above and this below:
            // swiftLanguageModes: [.v5]
        )

        """
    }

    private var swiftApp: String {
        """
        import BackgroundTasks
        import \(name)Kit

        /// `settings` of the app in jobs.yaml; `keep_lines` there is `keepLines` here.
        struct Settings: Decodable, Sendable {
            var greeting: String
            var keepLines: Int

            /// The same for `lull check` and editors, which read it from the plugin's file: it has to be one literal.
            static let schema: StaticString = #\"""
                {
                  "lull_settings": 1,
                  "app": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["greeting", "keep_lines"],
                    "properties": {
                      "greeting": { "type": "string", "description": "What each line says", "examples": ["Hello"] },
                      "keep_lines": {
                        "type": "integer", "minimum": 0, "description": "How many lines tidy leaves", "examples": [100]
                      }
                    }
                  },
                  "task": { "type": "object", "additionalProperties": false }
                }
                \"""#
        }

        @main
        struct \(name)App: BackgroundTasksApp {
            func didFinishLaunching() {
                LullApp.declareSettings(Settings.schema)
                BGTaskScheduler.shared.register(forTaskWithIdentifier: "\(app).greet", using: .main) { task in
                    run(task) { greetings, settings in try greetings.add(settings.greeting, at: .now) }
                }
                BGTaskScheduler.shared.register(forTaskWithIdentifier: "\(app).tidy", using: .main) { task in
                    let log = task.runLog
                    run(task) { greetings, settings in
                        let count = try greetings.keepLast(settings.keepLines)
                        log("removed \\(count) lines")
                    }
                }
            }

            /// Does the work, stops it when the run expires, and completes the run in each case.
            private func run(_ task: BGTask, _ work: @escaping @Sendable (Greetings, Settings) async throws -> Void) {
                let running = Task {
                    do {
                        let greetings = Greetings(folder: URL(filePath: LullApp.stateDirectory, directoryHint: .isDirectory))
                        try await work(greetings, LullApp.settings(as: Settings.self))
                        task.setTaskCompleted(success: true)
                    } catch {
                        task.log("\\(error)", level: .error)
                        task.setTaskCompleted(success: false)
                    }
                }
                task.expirationHandler = { running.cancel() }
            }
        }

        """
    }

    private var swiftWork: String {
        """
        import Foundation

        /// The work of \(name), which knows nothing of Lull: a file of greetings.
        public struct Greetings: Sendable {
            public let file: URL

            /// `folder` exists and is writable.
            public init(folder: URL) { file = folder.appending(path: "greetings.txt") }

            public func lines() throws -> [String] {
                guard FileManager.default.fileExists(atPath: file.path) else { return [] }
                return try String(contentsOf: file, encoding: .utf8).split(separator: "\\n").map(String.init)
            }

            public func add(_ greeting: String, at time: Date) throws {
                try write(lines() + ["\\(time.formatted(.iso8601)) \\(greeting)"])
            }

            /// How many lines were removed.
            public func keepLast(_ count: Int) throws -> Int {
                let all = try lines()
                guard all.count > count else { return 0 }
                try Task.checkCancellation()
                try write(all.suffix(count))
                return all.count - count
            }

            /// All or nothing: the process may be killed at any moment.
            private func write(_ lines: some Sequence<String>) throws {
                let text = lines.map { $0 + "\\n" }.joined()
                try Data(text.utf8).write(to: file, options: .atomic)
            }
        }

        """
    }

    private var swiftTest: String {
        """
        import Foundation
        import Testing

        @testable import \(name)Kit

        struct GreetingsTests {
            @Test func `the last greetings are kept`() throws {
                let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let greetings = Greetings(folder: folder)
                #expect(try greetings.lines().isEmpty)
                for word in ["one", "two", "three"] {
                    try greetings.add(word, at: Date(timeIntervalSince1970: 0))
                }
                #expect(try greetings.keepLast(2) == 1)
                #expect(try greetings.lines() == ["1970-01-01T00:00:00Z two", "1970-01-01T00:00:00Z three"])
                #expect(try greetings.keepLast(2) == 0)
            }
        }

        """
    }
}
