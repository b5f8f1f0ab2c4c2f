// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is compiled in Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// Only one product: all of the library would add half a minute to a first build.
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let numerics = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let sockets = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")

/// The wings: the folders of `Sources`. A room imports only rooms of its own wing and of those above it in this list;
/// `Tests/TidyTests` checks that.
enum Wing: String {
    case native = "C"
    case sdk = "SDK"
    case core = "Core"
    case linux = "Linux"
    case transfers = "Transfers"
    case fleet = "Fleet"
    case host = "Host"
    case answers = "Answers"
    case commands = "Commands"
    case page = "Page"
    case imports = "Import"
    case lab = "Lab"
    case authors = "Authors"

    func path(_ room: String) -> String { "Sources/\(rawValue)/\(room)" }
}

/// A library target of a wing, with all targets that it may import.
func room(_ name: String, in wing: Wing, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: wing.path(name), swiftSettings: strict)
}

/// An executable target of a wing.
func program(
    _ name: String, in wing: Wing, _ dependencies: [Target.Dependency], linker: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: wing.path(name), swiftSettings: strict,
        linkerSettings: linker)
}

/// Tests are never optimised, even if the code that they test is: it takes minutes and gains nothing.
let plain = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(
    of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + dependencies,
        exclude: exclude, swiftSettings: plain
    )
}

/// Plugins in Swift for the tests alone: each in the folder of its name, in the language mode that its author would use.
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
        // For the fuzzers, another package: all rooms that read untrusted input.
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
        // C: libraries that Swift can't import by itself.
        .systemLibrary(
            name: "CYAML", path: Wing.native.path("CYAML"), pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]
        ),
        .target(name: "CLullShims", path: Wing.native.path("CLullShims")),
        .target(name: "CLullPlugin", path: Wing.native.path("CLullPlugin")),
        .target(name: "CLullEntry", dependencies: ["CLullPlugin"], path: Wing.native.path("CLullEntry")),

        // Linked by plugins.
        room("BackgroundTasks", in: .sdk, ["CLullPlugin", "CLullEntry"]),
        room("BackgroundTasksUI", in: .sdk, ["BackgroundTasks"]),
        // For apps that post notifications; only they build it.
        room("UserNotifications", in: .sdk, ["CLullPlugin", "CLullEntry"]),
        // For apps that transfer in the background; it needs all of FoundationNetworking.
        room("BackgroundTransfers", in: .sdk, ["CLullPlugin", "CLullEntry", "BackgroundTasks"]),

        // Pure code.
        room("LullModel", in: .core),
        room("LullCalendar", in: .core, ["LullModel"]),
        room("LullForecast", in: .core, ["LullModel", numerics]),
        room(
            "LullScheduler", in: .core, ["LullModel", "LullCalendar", "LullForecast", numerics, heap]),
        room("LullWire", in: .core, ["LullModel"]),

        // The machine: its events, its conditions, and the files of plugins.
        room("LullSystem", in: .linux, ["LullModel", "CLullShims"]),
        room("LullConditions", in: .linux, ["LullModel", "LullSystem", "CLullShims"]),
        room("LullELF", in: .linux, ["CLullPlugin"]),

        room("LullTransfers", in: .transfers, ["LullModel", "LullWire", "LullSystem", "CLullShims"]),
        // Only `lull-transfer` links libcurl.
        .systemLibrary(
            name: "CLullCurl", path: Wing.transfers.path("CLullCurl"), pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        program(
            "lull-transfer", in: .transfers,
            ["LullModel", "LullSystem", "LullTransfers", "CLullShims", "CLullCurl"],
            // Other users start it too, and may not read a toolchain in somebody's home.
            linker: [.unsafeFlags(["-static-stdlib"], .when(configuration: .debug))]
        ),

        room("LullFleet", in: .fleet, ["LullModel", "LullELF", "LullSystem", "CLullShims"]),

        // The shell around the core.
        room("LullManifest", in: .host, ["LullModel", "LullCalendar", "CYAML", "CLullShims"]),
        room("LullHistory", in: .host, ["LullModel", "CLullShims", grdb]),
        room("LullUsage", in: .host, ["LullModel", "LullHistory", "LullSystem"]),
        room("LullNotices", in: .host, ["LullModel", "LullHistory", "LullSystem", "CLullShims"]),
        room(
            "LullWorkers", in: .host, ["LullModel", "LullWire", "LullELF", "LullSystem", "CLullShims"]),
        room(
            "LullControl", in: .host, ["LullModel", "LullHistory", "LullSystem", "LullELF", "CLullShims"]),
        room(
            "LullHost", in: .host,
            [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullUsage", "LullNotices", "LullWire", "LullWorkers", "LullTransfers",
                "LullControl", "LullFleet", logging,
            ]
        ),
        program(
            "lull-worker", in: .host, ["CLullPlugin", "LullModel", "LullELF", "LullWire", "CLullShims"],
            // The plugin brings its own Swift runtime; the worker's must not be found first.
            linker: [.unsafeFlags(["-static-stdlib"])]
        ),

        room("LullAnswers", in: .answers, ["LullModel", "LullHistory"]),

        // Shared by the executables that people call: arguments, the state, the connection to the host, tables.
        room(
            "LullCommands", in: .commands,
            [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullELF", "LullWorkers", "LullFleet", "LullControl", "LullHost",
                "LullAnswers", "CLullShims", arguments,
            ]
        ),
        program(
            "lull", in: .commands,
            [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullUsage", "LullNotices", "LullELF", "LullWorkers",
                "LullControl", "LullFleet",
                "LullHost",
                "LullAnswers", "LullCommands", arguments, logging,
            ]
        ),

        // Programs that a host does not need; `lull` starts them.
        .target(
            name: "CLullPage", path: Wing.page.path("CLullPage"), exclude: ["Page"],
            cSettings: [.unsafeFlags(["-std=c23"])], linkerSettings: [.linkedLibrary("z")]),
        room(
            "LullWeb", in: .page,
            [
                "LullModel", "LullManifest", "LullControl", "LullHistory", "LullELF", "LullAnswers",
                "CLullPage", sockets,
            ]),
        program(
            "lull-page", in: .page,
            [
                "LullModel", "LullHistory", "LullSystem", "LullControl", "LullHost", "LullAnswers", "LullWeb",
                "LullCommands", arguments,
            ]
        ),

        room("LullImport", in: .imports, ["LullModel", "LullCalendar"]),
        program(
            "lull-import", in: .imports,
            ["LullModel", "LullManifest", "LullImport", "LullCommands", arguments]),

        room("LullSimulator", in: .lab, ["LullModel", "LullCalendar", "LullScheduler", "LullWire"]),
        program(
            "lull-lab", in: .lab,
            [
                "LullModel", "LullManifest", "LullScheduler", "LullHistory", "LullSystem",
                "LullConditions", "LullUsage", "LullHost", "LullSimulator", "LullCommands", arguments,
            ]
        ),
        // Puts the host through simulated weeks of faults; not shipped.
        program("lull-simulate", in: .lab, ["LullModel", "LullSimulator", arguments]),
        // Makes the weights of the forecast; not shipped.
        program(
            "lull-train", in: .lab,
            ["LullModel", "LullForecast", "LullSimulator", "LullUsage", "LullELF", arguments, numerics]),

        program(
            "lull-plugin", in: .authors,
            [
                "LullModel", "LullManifest", "LullSimulator", "LullHost", "LullWire", "LullELF", "LullSystem",
                "LullWorkers", "LullCommands", arguments,
            ]
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
            // As the header tells authors: a plugin exports only its entry.
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
        tests(of: "lull-plugin", ["LullModel"]),
        tests(of: "LullHost", [grdb]),
        tests(
            of: "lull",
            ["lull-lab", "lull-import", "lull-plugin", "LullCommands", "LullModel", "LullControl", logging],
            exclude: ["Screens"]),
        tests(of: "LullAnswers"),
        tests(of: "LullWeb"),
        tests(of: "CLullPlugin"),
        tests(of: "BackgroundTasks", ["CLullPlugin"]),
        // Only authors build the modules with Apple's names, in packaging/sdk; this target tests their sources.
        .testTarget(name: "ImportsTests", dependencies: ["BackgroundTasks"], swiftSettings: plain),
        .testTarget(
            name: "UserNotificationsTests", dependencies: ["UserNotifications", "CLullPlugin"],
            swiftSettings: plain),
        .testTarget(
            name: "BackgroundTransfersTests", dependencies: ["BackgroundTransfers", "CLullPlugin"],
            swiftSettings: plain),
        // Shared by the tests of several rooms and plugins.
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
        // Kill the real host and take its resources away, then check what it says and what its history holds.
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "LullModel", "LullHistory", "LullControl", "LullScheduler", "LullSimulator", "TestSupport",
                grdb,
            ],
            swiftSettings: plain
        ),
        // These run the executables. `make test` runs only WayTests of them.
        .testTarget(name: "WayTests", dependencies: ["TestSupport"], swiftSettings: plain),
        .testTarget(name: "EndToEndTests", dependencies: ["TestSupport"], swiftSettings: plain),
        .testTarget(name: "TidyTests", swiftSettings: plain),
    ] + fixtures
)

/// The dependencies that each target names, by the target's name.
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

/// These targets and all that they need.
@MainActor func reached(from names: [String]) -> Set<String> {
    var kept: Set<String> = []
    var open = names
    while let name = open.popLast() {
        if kept.insert(name).inserted { open += direct[name] ?? [] }
    }
    return kept
}

// SwiftPM recompiles a target when one that it names changes. A target further down may change the size of its values while
// those between stay the same, so each target names all that it needs.
for target in package.targets {
    let names = direct[target.name] ?? []
    let others = reached(from: names).subtracting(names).filter { direct[$0] != nil }
    target.dependencies += others.sorted().map { .target(name: $0) }
}

// Keeps only some targets and what they need: LULL_PARTS="lull lull-worker" swift build
if let parts = Context.environment["LULL_PARTS"]?.split(separator: " ").map(String.init) {
    let kept = reached(from: parts)
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { !parts.contains($0.name) }
}
