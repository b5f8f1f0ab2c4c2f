// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that a build of Lull does not build the benchmarks.
let package = Package(
    name: "lull-benchmarks",
    dependencies: [
        .package(name: "lull", path: ".."),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        .target(name: "CBenchmarks", linkerSettings: [.linkedLibrary("yaml")]),
        .executableTarget(
            name: "lull-benchmarks",
            dependencies: [
                "CBenchmarks",
                .product(name: "LullRooms", package: "lull"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ]
)
