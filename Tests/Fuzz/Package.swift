// swift-tools-version: 6.2
import PackageDescription

/// A separate package: libFuzzer brings its own `main`, and all code that it watches must be built for it, as
/// `Tests/Fuzz/run` does. The checks are also a test target of Lull, without libFuzzer.
let package = Package(
    name: "lull-fuzz",
    dependencies: [
        .package(name: "lull", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "FuzzChecks",
            dependencies: [
                .product(name: "LullReaders", package: "lull"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Checks",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "lull-fuzz",
            dependencies: ["FuzzChecks"],
            path: "Driver",
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ]
)
