// swift-tools-version: 6.2
import PackageDescription

// Lull's SDK by itself, as it is installed: what a plugin links and nothing of the host. It is shipped as source, for a
// compiled Swift module would be of use to one version of the compiler alone.
let package = Package(
    name: "LullSDK",
    products: [
        .library(name: "BackgroundTasks", targets: ["BackgroundTasks", "BackgroundTasksUI"]),
        .library(name: "CLullPlugin", targets: ["CLullPlugin"]),
    ],
    targets: [
        .target(name: "CLullPlugin"),
        .target(name: "CLullEntry", dependencies: ["CLullPlugin"]),
        .target(name: "BackgroundTasks", dependencies: ["CLullPlugin", "CLullEntry"]),
        .target(name: "BackgroundTasksUI", dependencies: ["BackgroundTasks"]),
    ]
)
