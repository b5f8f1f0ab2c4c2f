// swift-tools-version: 6.2
import PackageDescription

// Lull's SDK by itself, as it is installed: the libraries that plugins link, and nothing of the host. It is shipped as
// source, because a compiled Swift module works with one version of the compiler only.
let package = Package(
    name: "LullSDK",
    products: [
        .library(name: "BackgroundTasks", targets: ["BackgroundTasks", "BackgroundTasksUI"]),
        .library(name: "UserNotifications", targets: ["UserNotifications"]),
        .library(name: "BackgroundTransfers", targets: ["BackgroundTransfers"]),
        .library(name: "CLullPlugin", targets: ["CLullPlugin"]),
        // Apple's module names, for files whose imports stay as they are. A package builds only those that it names. Other
        // modules that apps for iOS import (UserNotifications) get a product and a target of their name here.
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "SwiftUI", targets: ["SwiftUI"]),
        .library(name: "os", targets: ["os", "OSLog"]),
        .library(name: "Network", targets: ["Network"]),
        // For authors' tests alone.
        .library(name: "BackgroundTasksTesting", targets: ["BackgroundTasksTesting"]),
    ],
    targets: [
        .target(name: "CLullPlugin"),
        .target(name: "CLullEntry", dependencies: ["CLullPlugin"]),
        .target(name: "BackgroundTasks", dependencies: ["CLullPlugin", "CLullEntry"]),
        .target(name: "BackgroundTasksUI", dependencies: ["BackgroundTasks"]),
        .target(name: "UIKit", dependencies: ["BackgroundTasks", "UserNotifications"]),
        .target(name: "SwiftUI", dependencies: ["BackgroundTasksUI", "UIKit"]),
        .target(name: "CLullImports"),
        .target(name: "os", dependencies: ["BackgroundTasks", "CLullImports"]),
        .target(name: "OSLog", dependencies: ["os"]),
        .target(name: "Network", dependencies: ["BackgroundTasks"]),
        .target(name: "BackgroundTasksTesting", dependencies: ["BackgroundTasks", "CLullPlugin"]),
        .target(name: "UserNotifications", dependencies: ["CLullPlugin", "CLullEntry"]),
        .target(
            name: "BackgroundTransfers", dependencies: ["CLullPlugin", "CLullEntry", "BackgroundTasks"]),
    ]
)
