/// What a plugin says of itself; for messages, and to know whether it has changed.
public struct PluginIdentity: Sendable, Equatable {
    public var sdk: String
    public var abiMajor: Int
    public var abiMinor: Int
    /// In hexadecimal; empty: the file has none.
    public var buildID: String
    /// Each run is to have a worker of its own.
    public var runsAlone: Bool

    public init(sdk: String, abiMajor: Int, abiMinor: Int, buildID: String, runsAlone: Bool = false) {
        self.sdk = sdk
        self.abiMajor = abiMajor
        self.abiMinor = abiMinor
        self.buildID = buildID
        self.runsAlone = runsAlone
    }
}
