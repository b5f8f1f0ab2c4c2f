import Foundation

/// The `settings` of the app: the databases, and what is done for each.
public struct MaintenanceSettings: Sendable, Equatable {
    public var databases: [Item]
    /// How long a step waits for another program's lock.
    public var busySeconds: Int

    public struct Item: Sendable, Equatable {
        public var path: String
        public var backup: Backup?
        public var vacuum: Vacuum
        public var integrity: Integrity
        /// Whether the file may be missing, because the app that makes it has yet to run.
        public var isOptional: Bool

        public init(
            path: String, backup: Backup? = nil, vacuum: Vacuum = .auto, integrity: Integrity = .quick,
            isOptional: Bool = false
        ) {
            self.path = path
            self.backup = backup
            self.vacuum = vacuum
            self.integrity = integrity
            self.isOptional = isOptional
        }
    }

    public struct Backup: Sendable, Equatable {
        public var folder: String
        public var keep: Int

        public init(folder: String, keep: Int = 7) {
            self.folder = folder
            self.keep = keep
        }
    }

    public enum Vacuum: Sendable, Equatable { case always, never, auto }
    public enum Integrity: String, Sendable, Equatable, CaseIterable { case quick, full }

    public init(databases: [Item], busySeconds: Int = 5) {
        self.databases = databases
        self.busySeconds = busySeconds
    }
}

extension MaintenanceSettings {
    /// Reads the app's settings; every key that is wrong or unknown is refused with a sentence.
    public init(json: String) throws(MaintenanceError) {
        let map = try SettingsMap(json: json)
        // The worker adds "lull".
        try map.allow("databases", "busy_seconds", "lull")
        busySeconds = try map.integer("busy_seconds", in: 0...3600) ?? 5
        databases = []
        for item in try map.maps("databases") ?? [] {
            databases.append(try Item(item))
        }
        guard !databases.isEmpty else {
            throw .settings(
                "\"databases\" is missing or empty. List at least one, as `- path: /var/lib/app.sqlite`.")
        }
        try refuseTwins()
    }

    /// Two databases may not share a path, nor the names of their backups: one's pruning would delete the
    /// other's.
    private func refuseTwins() throws(MaintenanceError) {
        var paths: Set<String> = []
        var backups: Set<String> = []
        for item in databases {
            guard paths.insert(item.path).inserted else {
                throw .settings("database \"\(item.path)\" is listed twice. Take one out.")
            }
            guard let backup = item.backup else { continue }
            let file = item.path.split(separator: "/").last.map(String.init) ?? item.path
            guard backups.insert(backup.folder + "/" + file).inserted else {
                throw .settings(
                    "two databases named \"\(file)\" have the backup folder \"\(backup.folder)\". "
                        + "Give each its own."
                )
            }
        }
    }
}

extension MaintenanceSettings.Item {
    fileprivate init(_ map: SettingsMap) throws(MaintenanceError) {
        try map.allow("path", "backup", "vacuum", "integrity", "optional")
        guard let path = try map.text("path") else { throw map.refusal("\"path\" is missing") }
        self.path = path
        if let backup = try map.map("backup") {
            try backup.allow("folder", "keep")
            guard let folder = try backup.text("folder") else {
                throw backup.refusal("\"folder\" is missing")
            }
            self.backup = .init(folder: folder, keep: try backup.integer("keep", in: 1...10_000) ?? 7)
        }
        vacuum = try map.vacuum("vacuum") ?? .auto
        isOptional = try map.flag("optional") ?? false
        guard let word = try map.text("integrity") else {
            integrity = .quick
            return
        }
        guard let integrity = MaintenanceSettings.Integrity(rawValue: word) else {
            throw map.refusal("\"integrity\" is \"\(word)\". Write quick or full")
        }
        self.integrity = integrity
    }
}

/// The `settings` of one task: which steps it takes, all of them unless it says otherwise.
public struct MaintenanceTaskSettings: Sendable, Equatable {
    public var steps: [MaintenanceStep]

    public init(json: String) throws(MaintenanceError) {
        let map = try SettingsMap(json: json)
        try map.allow("steps", "lull")
        guard let words = try map.texts("steps") else {
            steps = MaintenanceStep.allCases
            return
        }
        for word in words where MaintenanceStep(rawValue: word) == nil {
            throw map.refusal("\"steps\" holds \"\(word)\". Known are check, backup, optimize and vacuum")
        }
        guard !words.isEmpty else {
            throw map.refusal("\"steps\" is empty. Name at least one, or leave it out")
        }
        steps = MaintenanceStep.allCases.filter { words.contains($0.rawValue) }
    }
}
