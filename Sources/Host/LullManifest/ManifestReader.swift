import LullModel

/// Reads `jobs.yaml`: bytes → a typed, valid manifest, or every problem with its place and remedy.
///
/// Each step stops input that the next one can't handle: the file, its bytes, YAML's syntax. Then the meaning of all keys
/// is checked to the end, whatever is found.
public struct ManifestReader: Sendable {
    private let pluginPath: [String]
    private let fileSystem: any FileSystem
    private let zoneFolder: String
    /// The manifest that a host has in force, so that nothing of it vanishes unnoticed; called if something is missing.
    public var inForce: @Sendable () -> Manifest? = { nil }

    /// `pluginPath`: the folders in which plugins are looked up by name, in this order.
    public init(
        pluginPath: [String], fileSystem: any FileSystem = LocalFileSystem(),
        zoneFolder: String = "/usr/share/zoneinfo"
    ) {
        self.pluginPath = pluginPath
        self.fileSystem = fileSystem
        self.zoneFolder = zoneFolder
    }

    /// `path`: a file, or a folder with `jobs.yaml` and `jobs.d/*.yaml` in it, either of which may be missing.
    public func read(path: String) -> ManifestResult {
        var assembly = assembly(path: path)
        if fileSystem.entry(at: path)?.kind == .folder {
            assembly.readFolder(path)
        } else {
            assembly.readFile(path)
        }
        return assembly.finish()
    }

    /// `path` is the file's name in messages, and relative paths in the manifest start from its folder.
    public func read(text: [UInt8], path: String) -> ManifestResult {
        var assembly = assembly(path: path)
        assembly.read(text, path: path)
        return assembly.finish()
    }

    /// Reads the manifest that hosts which follow a fleet take beside their own.
    public func read(shared text: [UInt8], path: String) -> ManifestResult {
        var assembly = assembly(path: path)
        assembly.readShared(text, path: path)
        return assembly.finish()
    }

    private func assembly(path: String) -> ManifestAssembly {
        ManifestAssembly(
            path: path, pluginPath: pluginPath, fileSystem: fileSystem, zoneFolder: zoneFolder,
            inForce: inForce)
    }

    /// FNV-1a of 64 bits: tells texts apart, and protects against nothing.
    public static func hash(_ text: some Collection<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A manifest and its diagnostics; there is a manifest exactly when no diagnostic is an error.
public struct ManifestResult: Sendable {
    public var manifest: Manifest?
    /// In the file's order.
    public var diagnostics: [Diagnostic]
    /// The part that could be read although there are errors, for further checks; nil if reading stopped.
    public var draft: Manifest?

    public init(manifest: Manifest?, diagnostics: [Diagnostic], draft: Manifest? = nil) {
        self.manifest = manifest
        self.diagnostics = diagnostics
        self.draft = draft
    }
}
