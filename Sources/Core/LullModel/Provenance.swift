/// The provenance of a run: the manifest, the plugin and the conditions of the host at its launch.
///
/// No decision depends on it. It is recorded with the launch, so that a run of last month can be compared with
/// one of today.
public struct Provenance: Sendable, Equatable {
    /// The loaded plugin, as reported by its worker.
    public struct Plugin: Sendable, Equatable, Codable {
        /// In hexadecimal, as `file` and `readelf --notes` show it; nil: the library has none.
        public var buildID: String?
        /// The SDK that made its entry, in one line: a plugin may write anything there.
        public var sdk: String
        /// The plugin's ABI version: "1.2".
        public var abi: String

        public init(buildID: String?, sdk: String, abi: String) {
            self.buildID = buildID
            self.sdk = sdk.terminalSafe
            self.abi = abi
        }
    }

    /// The hash of the manifest's text.
    public var manifest: String
    /// The file and line of the task's entry.
    public var place: String
    /// `TaskDefinition.digest`, which changes with everything that decides how the task runs; nil: an older host recorded none.
    public var entry: String?
    /// The version of the host.
    public var lull: String
    /// Nil: its worker has not reported it.
    public var plugin: Plugin?
    /// The last sensed conditions; nil: none were sensed.
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

/// The version of this Lull, as `lull --version` prints it. A test compares all that states it with this.
public enum LullVersion {
    public static let text = "0.2.0"
}
