// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is compiled in Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// Not the whole library: what nobody uses takes a newcomer's build half a minute.
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let numerics = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let sockets = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")

/// A room of the house: what it may import is what stands here, and `Tests/TidyTests` holds it to that.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Tests themselves are not optimised, also where what they test is: that takes minutes and gives nothing.
let plain = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(
    of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + dependencies,
        exclude: exclude, swiftSettings: plain
    )
}

/// Plugins in Swift for the tests alone: each in the folder of its name, in the Swift that its author would use.
func fixture(
    _ name: String, _ library: Target.Dependency, _ mode: SwiftLanguageMode, _ more: [SwiftSetting] = [],
    and other: [Target.Dependency] = []
) -> Target {
    .target(
        name: "Fixture" + name, dependencies: [library] + other, path: "Tests/Fixtures/Plugins/" + name,
        swiftSettings: strict + [.swiftLanguageMode(mode)] + more
    )
}

let fixtures = [
    fixture("AppDelegate", "BackgroundTasks", .v5),
    fixture("EntersBackground", "BackgroundTasks", .v5),
    fixture("Singleton", "BackgroundTasks", .v5),
    fixture("PushApp", "BackgroundTasks", .v5),
    fixture("AsyncPushApp", "BackgroundTasks", .v6),
    fixture("SwiftUIApp", "BackgroundTasksUI", .v6),
    fixture("Faults", "BackgroundTasks", .v6),
    // How apps keep their tasks going.
    fixture("HabitsDelegate", "BackgroundTasks", .v5),
    fixture("HabitsScene", "BackgroundTasks", .v5),
    fixture("HabitsApp", "BackgroundTasksUI", .v6),
    fixture("HabitsActors", "BackgroundTasks", .v6),
    fixture("Reminder", "BackgroundTasks", .v6, and: ["UserNotifications"]),
    fixture("TransferApp", "BackgroundTasks", .v5, and: ["BackgroundTransfers"]),
    fixture("TransferUIApp", "BackgroundTasksUI", .v6, and: ["BackgroundTransfers"]),
    // One file, in the two ways in which Xcode builds Swift 5.
    fixture("Queues", "BackgroundTasks", .v5),
    fixture("QueuesIsolated", "BackgroundTasks", .v5, [.defaultIsolation(MainActor.self)]),
    // One file, in the three ways in which Xcode builds it.
    fixture("MainThread5", "BackgroundTasks", .v5),
    fixture("MainThread6", "BackgroundTasks", .v6),
    fixture("MainThreadIsolated", "BackgroundTasks", .v6, [.defaultIsolation(MainActor.self)]),
]

let package = Package(
    name: "lull",
    products: [
        .executable(name: "lull", targets: ["lull"]),
        .executable(name: "lull-lab", targets: ["lull-lab"]),
        .executable(name: "lull-page", targets: ["lull-page"]),
        .executable(name: "lull-import", targets: ["lull-import"]),
        .executable(name: "lull-plugin", targets: ["lull-plugin"]),
        .executable(name: "lull-worker", targets: ["lull-worker"]),
        .executable(name: "lull-transfer", targets: ["lull-transfer"]),
        .library(name: "BackgroundTasks", targets: ["BackgroundTasks", "BackgroundTasksUI"]),
        .library(name: "UserNotifications", targets: ["UserNotifications"]),
        .library(name: "BackgroundTransfers", targets: ["BackgroundTransfers"]),
        // For the benchmarks, which are a package of their own.
        .library(
            name: "LullRooms",
            targets: [
                "LullModel", "LullManifest", "LullForecast", "LullScheduler", "LullHistory", "LullSystem",
                "LullWire",
                "LullWorkers", "LullTransfers", "LullFleet", "LullControl", "LullSimulator",
            ]
        ),
        // For the fuzzers, which are another: all that reads what others wrote.
        .library(
            name: "LullReaders",
            targets: [
                "LullModel", "LullManifest", "LullImport", "LullHistory", "LullUsage", "LullSystem",
                "LullELF",
                "LullWire", "LullWorkers", "LullTransfers", "LullControl", "LullAnswers", "LullWeb",
                "LullNotices",
            ]
        ),
        .library(name: "ColorFeed", type: .dynamic, targets: ["ColorFeed"]),
        .library(name: "Command", type: .dynamic, targets: ["Command"]),
        .library(name: "SQLiteMaintenance", type: .dynamic, targets: ["SQLiteMaintenance"]),
        .library(name: "RepoRefresh", type: .dynamic, targets: ["RepoRefresh"]),
        .library(name: "Mirror", type: .dynamic, targets: ["Mirror"]),
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
        // `lull-transfer` alone links it: nobody else has anything of libcurl.
        .systemLibrary(
            name: "CLullCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(name: "CLullShims"),
        .target(name: "CLullPage", exclude: ["Page"], cSettings: [.unsafeFlags(["-std=c23"])]),
        .target(name: "CLullPlugin"),
        .target(name: "CLullEntry", dependencies: ["CLullPlugin"]),

        // What a plugin links.
        .target(name: "BackgroundTasks", dependencies: ["CLullPlugin", "CLullEntry"], swiftSettings: strict),
        .target(name: "BackgroundTasksUI", dependencies: ["BackgroundTasks"], swiftSettings: strict),
        // For who tells people something by itself; nobody else builds it.
        .target(
            name: "UserNotifications", dependencies: ["CLullPlugin", "CLullEntry"], swiftSettings: strict),
        // For who transfers in the background, which needs the whole of FoundationNetworking.
        .target(
            name: "BackgroundTransfers", dependencies: ["CLullPlugin", "CLullEntry", "BackgroundTasks"],
            swiftSettings: strict),

        // The pure core.
        room("LullModel"),
        room("LullCalendar", ["LullModel"]),
        room("LullForecast", ["LullModel", numerics]),
        room("LullScheduler", ["LullModel", "LullCalendar", "LullForecast", numerics, heap]),
        room("LullWire", ["LullModel"]),
        room("LullSimulator", ["LullModel", "LullCalendar", "LullScheduler", "LullWire"]),

        // The shell around it.
        room("LullManifest", ["LullModel", "LullCalendar", "CYAML", "CLullShims"]),
        room("LullImport", ["LullModel", "LullCalendar"]),
        room("LullHistory", ["LullModel", "CLullShims", grdb]),
        room("LullSystem", ["LullModel", "CLullShims"]),
        room("LullConditions", ["LullModel", "LullSystem", "CLullShims"]),
        room("LullUsage", ["LullModel", "LullHistory", "LullSystem"]),
        room("LullNotices", ["LullModel", "LullHistory", "LullSystem", "CLullShims"]),
        room("LullELF", ["CLullPlugin"]),
        room("LullWorkers", ["LullModel", "LullWire", "LullELF", "LullSystem", "CLullShims"]),
        room("LullTransfers", ["LullModel", "LullWire", "LullSystem", "CLullShims"]),
        room("LullFleet", ["LullModel", "LullSystem", "CLullShims"]),
        room(
            "LullPluginCheck",
            ["LullModel", "LullWire", "LullELF", "LullSystem", "LullWorkers"]
        ),
        room("LullControl", ["LullModel", "LullHistory", "LullSystem", "LullELF", "CLullShims"]),
        room(
            "LullHost",
            [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullUsage", "LullNotices", "LullWire", "LullWorkers", "LullTransfers",
                "LullControl", "LullFleet", logging,
            ]
        ),
        room("LullAnswers", ["LullModel", "LullHistory"]),
        room(
            "LullWeb",
            ["LullModel", "LullControl", "LullHistory", "LullELF", "LullAnswers", "CLullPage", sockets]),
        // What the executables that people call share: their arguments, the state and the host that they ask, tables.
        room(
            "LullCommands",
            [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullELF", "LullWorkers", "LullFleet", "LullControl", "LullHost",
                "LullAnswers", arguments,
            ]
        ),
        .executableTarget(
            name: "lull",
            dependencies: [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullUsage", "LullNotices", "LullELF", "LullWorkers",
                "LullControl", "LullFleet",
                "LullHost",
                "LullAnswers", "LullCommands", arguments, logging,
            ],
            swiftSettings: strict
        ),
        // What a host does not need: `lull` starts them.
        .executableTarget(
            name: "lull-lab",
            dependencies: [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullUsage", "LullHost", "LullSimulator", "LullCommands", arguments,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lull-page",
            dependencies: [
                "LullModel", "LullHistory", "LullSystem", "LullControl", "LullHost", "LullAnswers", "LullWeb",
                "LullCommands", arguments,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lull-import",
            dependencies: ["LullModel", "LullManifest", "LullImport", "LullCommands", arguments],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lull-plugin",
            dependencies: [
                "LullModel", "LullManifest", "LullSimulator", "LullHost", "LullPluginCheck", "LullCommands",
                arguments,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lull-worker",
            dependencies: ["CLullPlugin", "LullModel", "LullELF", "LullWire", "CLullShims"],
            swiftSettings: strict,
            // The plugin brings its own Swift runtime; the worker's must not be found first.
            linkerSettings: [.unsafeFlags(["-static-stdlib"])]
        ),

        .executableTarget(
            name: "lull-transfer",
            dependencies: ["LullModel", "LullSystem", "LullTransfers", "CLullShims", "CLullCurl"],
            swiftSettings: strict,
            // Other users start it too, and may not read a toolchain in somebody's home.
            linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(configuration: .debug))]
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
        .target(
            name: "Mirror",
            dependencies: ["CLullPlugin"],
            path: "plugins/Mirror",
            publicHeadersPath: "."
        ),

        tests(of: "LullModel"),
        tests(of: "LullCalendar"),
        tests(of: "LullManifest"),
        tests(of: "LullImport", ["LullModel", "LullManifest"]),
        tests(of: "LullForecast"),
        tests(of: "LullScheduler"),
        tests(of: "LullSimulator", ["LullWire"]),
        tests(of: "LullHistory", [grdb, "CFaultyDisk"]),
        // A disk under SQLite that fails and forgets, for tests alone.
        .target(name: "CFaultyDisk", path: "Tests/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        tests(of: "LullSystem"),
        tests(of: "LullConditions"),
        tests(of: "LullUsage"),
        tests(of: "LullNotices"),
        tests(of: "LullELF"),
        tests(of: "LullWire"),
        tests(of: "LullWorkers", ["CLullShims"]),
        tests(of: "LullTransfers", ["LullELF", "LullModel", "LullSystem", "CLullCurl"]),
        tests(of: "LullFleet", ["LullModel", "LullSystem", "LullSimulator", "LullHistory", "LullAnswers"]),
        tests(of: "LullControl"),
        tests(of: "LullPluginCheck", ["LullModel"]),
        tests(of: "LullHost", [grdb]),
        tests(
            of: "lull",
            ["lull-lab", "lull-import", "lull-plugin", "LullCommands", "LullModel", "LullControl", logging],
            exclude: ["Screens"]),
        tests(of: "LullAnswers"),
        tests(of: "LullWeb"),
        tests(of: "CLullPlugin"),
        tests(of: "BackgroundTasks", ["CLullPlugin"]),
        // The modules of Apple's names are built by authors alone, in packaging/sdk: their sources are tested as part of this.
        .testTarget(name: "ImportsTests", dependencies: ["BackgroundTasks"], swiftSettings: plain),
        .testTarget(
            name: "UserNotificationsTests", dependencies: ["UserNotifications", "CLullPlugin"],
            swiftSettings: plain),
        .testTarget(
            name: "BackgroundTransfersTests", dependencies: ["BackgroundTransfers", "CLullPlugin"],
            swiftSettings: plain),
        // What the tests of several rooms and plugins share.
        .target(
            name: "TestSupport", dependencies: ["LullModel", "LullManifest"], path: "Tests/Support",
            swiftSettings: strict),
        tests(of: "ColorFeedKit"),
        .testTarget(
            name: "CommandKitTests", dependencies: ["CCommandKit", "TestSupport"],
            swiftSettings: plain
        ),
        tests(of: "SQLiteMaintenanceKit", [grdb]),
        .testTarget(
            name: "RepoRefreshTests", dependencies: ["LullELF", "LullModel", "TestSupport"],
            exclude: ["fake_host.c"], swiftSettings: plain),
        .testTarget(
            name: "MirrorTests", dependencies: ["LullELF", "LullManifest", "LullModel", "TestSupport"],
            exclude: ["fake_host.c"], swiftSettings: plain),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "LullModel", "LullForecast", "LullScheduler", "LullWire", "LullSimulator", "LullHistory",
                "TestSupport", "lull-simulate",
            ],
            swiftSettings: plain
        ),
        .testTarget(
            name: "LullTrainTests",
            dependencies: ["lull-train", "LullForecast", "LullSimulator"],
            swiftSettings: plain
        ),
        // The inputs of `make fuzz`, replayed without libFuzzer.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "LullModel", "LullManifest", "LullImport", "LullHistory", "LullUsage", "LullSystem",
                "LullELF",
                "LullWire", "LullWorkers", "LullTransfers", "LullControl", "LullAnswers", "LullWeb",
                "LullNotices", grdb,
            ],
            path: "Tests/Fuzz",
            exclude: ["Package.swift", "Driver", "Corpus", "Words", "Suppressions", "run"],
            sources: ["Checks", "Replay"],
            swiftSettings: plain
        ),
        // The real host is killed, starved and robbed: what it then says and keeps is read from its history.
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "LullModel", "LullHistory", "LullControl", "LullScheduler", "LullSimulator", "TestSupport",
                grdb,
            ],
            swiftSettings: plain
        ),
        // No room: they run the executables, which `swift test` builds beside them.
        .testTarget(name: "EndToEndTests", dependencies: ["TestSupport"], swiftSettings: plain),
        .testTarget(name: "TidyTests", swiftSettings: plain),
    ] + fixtures
)

/// By the name of a target, those that it names.
let direct = Dictionary(
    uniqueKeysWithValues: package.targets.map { target in
        let names = target.dependencies.compactMap { dependency -> String? in
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): name
            default: nil
            }
        }
        return (target.name, names)
    })

/// These, and all that they need.
@MainActor func reached(from names: [String]) -> Set<String> {
    var kept: Set<String> = []
    var open = names
    while let name = open.popLast() {
        if kept.insert(name).inserted { open += direct[name] ?? [] }
    }
    return kept
}

// SwiftPM compiles a target anew for a change of those that it names. One further down may change the size of its values, and
// those between stay as they were: so each target names all that it needs.
for target in package.targets {
    let names = direct[target.name] ?? []
    let others = reached(from: names).subtracting(names).filter { direct[$0] != nil }
    target.dependencies += others.sorted().map { .target(name: $0) }
}

// Of all this only some targets and what they need: LULL_PARTS="lull lull-worker" swift build
if let parts = Context.environment["LULL_PARTS"]?.split(separator: " ").map(String.init) {
    let kept = reached(from: parts)
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { !parts.contains($0.name) }
}
