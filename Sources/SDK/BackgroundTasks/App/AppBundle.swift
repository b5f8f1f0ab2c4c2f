import CLullEntry
import Foundation

/// Makes `Bundle.main` in a worker the app's bundle, not that of the worker's executable.
///
/// A folder `Feed.app` beside `libFeed.so`, with an `Info.plist`, is the app's bundle as it is. Without one the bundle is
/// made in the app's state folder: an `Info.plist` that names the app, and links to the resources
/// (`*.resources`) that SwiftPM has laid beside the library.
enum AppBundle {
    /// Called before anything asks for `Bundle.main`, which Foundation looks up once.
    static func adopt() {
        guard let host = BGTaskScheduler.shared.registry.host, let home = host.stateDirectory else { return }
        makeFolders(in: home)
        let library = library
        let name = name(of: library, app: host.app)
        let folder = library.map { ($0 as NSString).deletingLastPathComponent }
        let shipped = folder.map { $0 + "/" + name + ".app" }
        if let shipped, access(shipped + "/Info.plist", R_OK) == 0 { return use(shipped, name) }
        let made = home + "/" + name + ".app"
        mkdir(made, 0o700)
        write(properties(of: host, name), to: made + "/Info.plist")
        if let folder { linkResources(of: folder, into: made) }
        use(made, name)
    }

    /// Apps write to these folders without checking that they exist: on iOS they do.
    private static func makeFolders(in home: String) {
        for folder in ["/Documents", "/.cache", "/.config", "/.local", "/.local/share"] {
            mkdir(home + folder, 0o700)
        }
    }

    static var library: String? {
        let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4500) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            lull_entry_library(start, buffer.count)
            return String(cString: start)
        }
        return path.isEmpty || path.hasSuffix(" (deleted)") ? nil : path
    }

    /// `Feed` for `libFeed.so`; for any other file, or an unknown one, the last part of the app's identifier.
    static func name(of library: String?, app: String) -> String {
        let file = library.map { ($0 as NSString).lastPathComponent } ?? ""
        if file.hasPrefix("lib"), file.hasSuffix(".so"), file.count > 6 {
            return String(file.dropFirst(3).dropLast(3))
        }
        return app.split(separator: ".").last.map(String.init) ?? "App"
    }

    /// The version numbers are those of a new Xcode project.
    private static func properties(of host: HostTable, _ name: String) -> [UInt8] {
        func entry(_ key: String, _ value: String) -> String {
            "\t<key>\(key)</key>\n\t<string>\(value)</string>\n"
        }
        let permitted = host.permittedTasks.map { "\t\t<string>\($0)</string>\n" }.joined()
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n"
            + entry("CFBundleIdentifier", host.app) + entry("CFBundleName", name)
            + entry("CFBundleDisplayName", name) + entry("CFBundleExecutable", name)
            + entry("CFBundlePackageType", "APPL") + entry("CFBundleShortVersionString", "1.0")
            + entry("CFBundleVersion", "1")
            + "\t<key>BGTaskSchedulerPermittedIdentifiers</key>\n\t<array>\n\(permitted)\t</array>\n"
            + "</dict>\n</plist>\n"
        return Array(text.utf8)
    }

    /// Replaces the file atomically, and only if its content differs: a worker starts often.
    private static func write(_ bytes: [UInt8], to path: String) {
        if let known = FileManager.default.contents(atPath: path), known.elementsEqual(bytes) { return }
        try? Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private static func linkResources(of folder: String, into bundle: String) {
        for item in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where item.hasSuffix(".resources") {
            let link = bundle + "/" + item
            let target = folder + "/" + item
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == target { continue }
            unlink(link)
            symlink(target, link)
        }
    }

    private static func use(_ folder: String, _ name: String) {
        // Foundation keeps the pointers, so they are never freed.
        lull_entry_set_executable(strdup(folder + "/" + name), strdup(name))
    }
}
