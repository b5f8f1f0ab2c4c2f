// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is compiled in Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let collections = Target.Dependency.product(name: "Collections", package: "swift-collections")
let numerics = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let sockets = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")

/// A room of the house: what it may import is what stands here, and `Tests/TidyTests` holds it to that.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict + more)
}

/// The forecast is arithmetic over vectors, fifty times slower where nothing is optimised, and a simulated week is
/// thousands of decisions: tests would wait for them.
let optimized: SwiftSetting = .unsafeFlags(["-O"], .when(configuration: .debug))

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.init(stringLiteral: name)] + dependencies, swiftSettings: strict
    )
}

/// Plugins in Swift for the tests alone: each in the folder of its name, in the Swift that its author would use.
func fixture(
    _ name: String, _ library: Target.Dependency, _ mode: SwiftLanguageMode, _ more: [SwiftSetting] = []
) -> Target {
    .target(
        name: "Fixture" + name, dependencies: [library], path: "Tests/Fixtures/Plugins/" + name,
        swiftSettings: strict + [.swiftLanguageMode(mode)] + more
    )
}

let fixtures = [
    fixture("AppDelegate", "BackgroundTasks", .v5),
    fixture("Singleton", "BackgroundTasks", .v5),
    fixture("SwiftUIApp", "BackgroundTasksUI", .v6),
    fixture("Faults", "BackgroundTasks", .v6),
    // One file, in the three ways in which Xcode builds it.
    fixture("MainThread5", "BackgroundTasks", .v5),
    fixture("MainThread6", "BackgroundTasks", .v6),
    fixture("MainThreadIsolated", "BackgroundTasks", .v6, [.defaultIsolation(MainActor.self)]),
]

let package = Package(
    name: "lull",
    products: [
        .executable(name: "lull", targets: ["lull"]),
        .executable(name: "lull-worker", targets: ["lull-worker"]),
        .library(name: "BackgroundTasks", targets: ["BackgroundTasks", "BackgroundTasksUI"]),
        // For the benchmarks, which are a package of their own.
        .library(
            name: "LullRooms",
            targets: [
                "LullModel", "LullManifest", "LullForecast", "LullScheduler", "LullHistory", "LullLoop",
                "LullWire", "LullSession",
                "LullWorkers", "LullControl", "LullSimulator",
            ]
        ),
        // For the fuzzers, which are another: all that reads what others wrote.
        .library(
            name: "LullReaders",
            targets: [
                "LullModel", "LullManifest", "LullImport", "LullHistory", "LullUsage", "LullLoop", "LullELF",
                "LullWire", "LullSession", "LullWorkers", "LullControl", "LullWeb", "LullNotices",
            ]
        ),
        .library(name: "ColorFeed", type: .dynamic, targets: ["ColorFeed"]),
        .library(name: "Command", type: .dynamic, targets: ["Command"]),
        .library(name: "SQLiteMaintenance", type: .dynamic, targets: ["SQLiteMaintenance"]),
        .library(name: "RepoRefresh", type: .dynamic, targets: ["RepoRefresh"]),
    ] + fixtures.map { .library(name: $0.name, type: .dynamic, targets: [$0.name]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // C: what Swift can't reach.
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]
        ),
        .target(name: "CLullShims"),
        .target(name: "CLullPlugin"),
        .target(name: "CLullEntry", dependencies: ["CLullPlugin"]),

        // What a plugin links.
        room("BackgroundTasks", ["CLullPlugin", "CLullEntry"]),
        room("BackgroundTasksUI", ["BackgroundTasks"]),

        // The pure core.
        room("LullModel"),
        room("LullForecast", ["LullModel", numerics], [optimized]),
        room("LullScheduler", ["LullModel", "LullForecast", collections, numerics], [optimized]),
        room("LullWire", ["LullModel"]),
        room("LullSession", ["LullModel", "LullWire"]),
        room(
            "LullSimulator", ["LullModel", "LullForecast", "LullScheduler", "LullWire", "LullSession"],
            [optimized]),

        // The shell around it.
        room("LullManifest", ["LullModel", "CYAML", "CLullShims"]),
        room("LullImport", ["LullModel"]),
        room("LullHistory", ["LullModel", "CLullShims", grdb]),
        room("LullPlot"),
        room("LullLoop", ["LullModel", "CLullShims"]),
        room("LullConditions", ["LullModel", "LullLoop", "CLullShims"]),
        room("LullUsage", ["LullModel", "LullHistory", "LullLoop", "CLullShims"]),
        room("LullNotices", ["LullModel", "LullHistory", "LullLoop", "CLullShims"]),
        room("LullELF", ["CLullPlugin"]),
        room("LullWorkers", ["LullModel", "LullWire", "LullSession", "LullLoop", "CLullShims"]),
        room(
            "LullPluginCheck",
            ["LullModel", "LullWire", "LullSession", "LullELF", "LullLoop", "LullWorkers"]
        ),
        room("LullControl", ["LullModel", "LullWire", "LullLoop", "CLullShims"]),
        room(
            "LullHost",
            [
                "LullModel", "LullManifest", "LullForecast", "LullScheduler", "LullHistory", "LullLoop",
                "LullConditions", "LullUsage", "LullNotices", "LullWire", "LullSession", "LullWorkers",
                "LullControl", logging,
            ]
        ),
        .target(
            name: "LullWeb", dependencies: ["LullModel", "LullControl", "LullHistory", sockets],
            // In the binary, so that what is installed is one file.
            resources: [.embedInCode("Page")], swiftSettings: strict
        ),
        .executableTarget(
            name: "lull",
            dependencies: [
                "LullModel", "LullManifest", "LullForecast", "LullScheduler", "LullHistory", "LullLoop",
                "LullConditions", "LullUsage", "LullNotices", "LullELF", "LullPluginCheck", "LullWorkers",
                "LullControl",
                "LullHost",
                "LullImport",
                "LullSimulator",
                "LullPlot", "LullWeb", arguments, logging,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lull-worker",
            dependencies: ["CLullPlugin", "LullELF", "LullWire", "CLullShims"],
            swiftSettings: strict,
            // The plugin brings its own Swift runtime; the worker's must not be found first.
            linkerSettings: [.unsafeFlags(["-static-stdlib"])]
        ),

        // Puts the host through simulated weeks of faults; not shipped.
        .executableTarget(
            name: "lull-simulate",
            dependencies: ["LullModel", "LullSimulator", arguments],
            swiftSettings: strict
        ),

        // Makes the weights of the forecast; not shipped.
        .executableTarget(
            name: "lull-train",
            dependencies: [
                "LullModel", "LullForecast", "LullSimulator", "LullUsage", "LullELF", arguments, numerics,
            ],
            swiftSettings: strict
        ),

        // The apps shipped with Lull.
        .target(
            name: "ColorFeed",
            dependencies: ["BackgroundTasks", "ColorFeedKit"],
            path: "plugins/ColorFeed/App",
            swiftSettings: strict
        ),
        .target(
            name: "ColorFeedKit",
            dependencies: [grdb],
            path: "plugins/ColorFeed/Kit",
            swiftSettings: strict
        ),
        // In C: a Swift runtime of its own would be more than all that it needs.
        .target(
            name: "Command",
            dependencies: ["CLullPlugin", "CCommandKit"],
            path: "plugins/Command/App",
            publicHeadersPath: ".",
            cSettings: [.unsafeFlags(["-fvisibility=hidden"])]
        ),
        .target(
            name: "CCommandKit",
            dependencies: ["CLullPlugin"],
            path: "plugins/Command/Kit",
            // As the header tells authors: of a plugin only its entry is seen from outside.
            cSettings: [.unsafeFlags(["-fvisibility=hidden"])],
            linkerSettings: [.linkedLibrary("m")]
        ),
        .target(
            name: "SQLiteMaintenance",
            dependencies: ["BackgroundTasks", "SQLiteMaintenanceKit"],
            path: "plugins/SQLiteMaintenance/App",
            swiftSettings: strict
        ),
        .target(
            name: "SQLiteMaintenanceKit",
            dependencies: [grdb],
            path: "plugins/SQLiteMaintenance/Kit",
            swiftSettings: strict
        ),
        .target(
            name: "RepoRefresh",
            dependencies: ["CLullPlugin"],
            path: "plugins/RepoRefresh",
            publicHeadersPath: "."
        ),

        tests(of: "LullModel"),
        tests(of: "LullManifest"),
        tests(of: "LullImport", ["LullModel", "LullManifest"]),
        tests(of: "LullForecast"),
        tests(of: "LullScheduler"),
        tests(of: "LullSimulator", ["LullWire", "LullSession"]),
        tests(of: "LullHistory", [grdb, "CFaultyDisk"]),
        // A disk under SQLite that fails and forgets, for tests alone.
        .target(name: "CFaultyDisk", path: "Tests/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        tests(of: "LullLoop"),
        tests(of: "LullPlot"),
        tests(of: "LullConditions"),
        tests(of: "LullUsage"),
        tests(of: "LullNotices"),
        tests(of: "LullELF"),
        tests(of: "LullWire"),
        tests(of: "LullSession", ["LullWire"]),
        tests(of: "LullWorkers", ["LullSession"]),
        tests(of: "LullControl"),
        tests(of: "LullHost", [grdb]),
        tests(of: "lull", ["LullModel", "LullControl", logging]),
        tests(of: "LullWeb"),
        tests(of: "CLullPlugin"),
        tests(of: "BackgroundTasks", ["CLullPlugin"]),
        tests(of: "ColorFeedKit", ["LullModel", "LullManifest"]),
        .testTarget(
            name: "CommandKitTests", dependencies: ["CCommandKit", "LullModel", "LullManifest"],
            swiftSettings: strict
        ),
        tests(of: "SQLiteMaintenanceKit", [grdb, "LullModel", "LullManifest"]),
        .testTarget(
            name: "RepoRefreshTests", dependencies: ["LullELF", "LullManifest", "LullModel"],
            exclude: ["fake_host.c"], swiftSettings: strict),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "LullModel", "LullForecast", "LullScheduler", "LullSession", "LullSimulator", "LullHistory",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LullTrainTests",
            dependencies: ["lull-train", "LullForecast", "LullSimulator"],
            swiftSettings: strict
        ),
        // The inputs of `make fuzz`, replayed without libFuzzer.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "LullModel", "LullManifest", "LullImport", "LullHistory", "LullUsage", "LullLoop", "LullELF",
                "LullWire", "LullSession", "LullWorkers", "LullControl", "LullWeb", "LullNotices", grdb,
            ],
            path: "Tests/Fuzz",
            exclude: ["Package.swift", "Driver", "Corpus", "Words", "Suppressions", "run"],
            sources: ["Checks", "Replay"],
            swiftSettings: strict
        ),
        // The real host is killed, starved and robbed: what it then says and keeps is read from its history.
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "LullModel", "LullHistory", "LullControl", "LullScheduler", "LullSimulator", grdb,
            ],
            swiftSettings: strict
        ),
        // No dependencies: they run the executables, which `swift test` builds beside them.
        .testTarget(name: "EndToEndTests", swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ] + fixtures
)
