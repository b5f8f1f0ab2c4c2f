/// Where a run came from: what was in force, what was loaded and how the host was when it was launched.
///
/// Nothing is decided by it. It is recorded with the launch, so that a run of last month can be held against the
/// one of today.
public struct Provenance: Sendable, Equatable, Codable {
    /// What was loaded, as the worker that loaded it says.
    public struct Plugin: Sendable, Equatable, Codable {
        /// In hexadecimal, as `file` and `readelf --notes` show it; nil: the library has none.
        public var buildID: String?
        /// Who made its entry.
        public var sdk: String
        /// Of the plugin: "1.2".
        public var abi: String

        public init(buildID: String?, sdk: String, abi: String) {
            self.buildID = buildID
            self.sdk = sdk
            self.abi = abi
        }
    }

    /// The hash of the manifest's text.
    public var manifest: String
    /// Where the task stood: file and line.
    public var place: String
    /// `TaskDefinition.digest`: changes with what decides how the task runs; nil: from a host that took none.
    public var entry: String?
    /// The version of the host.
    public var lull: String
    /// Nil: its worker has not said.
    public var plugin: Plugin?
    /// As they were sensed last; nil: not at all.
    public var conditions: Conditions?

    public init(
        manifest: String, place: String, lull: String, entry: String? = nil, plugin: Plugin? = nil,
        conditions: Conditions? = nil
    ) {
        self.entry = entry
        self.manifest = manifest
        self.place = place
        self.lull = lull
        self.plugin = plugin
        self.conditions = conditions
    }
}

/// Of this Lull, as `lull --version` says it.
public enum LullVersion {
    public static let text = "0.1.0"
}
