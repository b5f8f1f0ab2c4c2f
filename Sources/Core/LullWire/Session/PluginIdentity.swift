/// The properties that a plugin reports of itself; for messages, and to notice when it has changed.
public struct PluginIdentity: Sendable, Equatable {
    public var sdk: String
    public var abiMajor: Int
    public var abiMinor: Int
    /// In hexadecimal; empty: the file has none.
    public var buildID: String
    /// Whether each run needs a worker of its own.
    public var runsAlone: Bool

    public init(sdk: String, abiMajor: Int, abiMinor: Int, buildID: String, runsAlone: Bool = false) {
        self.sdk = sdk
        self.abiMajor = abiMajor
        self.abiMinor = abiMinor
        self.buildID = buildID
        self.runsAlone = runsAlone
    }
}
