/// The machine's files with other bytes in place of one file, to read a manifest before it is written.
public struct StandInFileSystem: FileSystem {
    private let path: String
    private let text: [UInt8]
    private let real: any FileSystem

    /// `path`: absolute.
    public init(_ text: [UInt8], at path: String, beside real: any FileSystem = LocalFileSystem()) {
        (self.path, self.text, self.real) = (path, text, real)
    }

    public var currentFolder: String { real.currentFolder }

    public func entry(at path: String) -> FileEntry? {
        real.entry(at: path) ?? (isStandIn(path) ? FileEntry(.file, realPath: self.path) : nil)
    }

    public func target(ofLink path: String) -> String? { real.target(ofLink: path) }

    public func names(in folder: String) -> [String] { real.names(in: folder) }

    public func bytes(of path: String) throws(FileProblem) -> [UInt8] {
        isStandIn(path) ? text : try real.bytes(of: path)
    }

    private func isStandIn(_ path: String) -> Bool { Path.join(currentFolder, path) == self.path }
}
