/// The libraries that a library names, and the folders that it searches for them before the system's.
public struct LibraryNeeds: Sendable, Equatable {
    public let names: [String]
    /// As it stands in the file: DT_RUNPATH, or else DT_RPATH.
    public let searchPath: [String]

    public init(ofFile path: String) throws(PluginFault) {
        self.init(try ELFFile(FileBytes(opening: path), machine: .own))
    }

    init(_ file: ELFFile) {
        names = file.dynamic.needed.compactMap { file.string($0) }
        let path = (file.dynamic[.runpath] ?? file.dynamic[.rpath]).flatMap { file.string($0) } ?? ""
        searchPath = path.split(separator: ":").map(String.init)
    }

    /// The folders of its search path, for a library that was loaded from `folder`.
    public func folders(from folder: String) -> [String] {
        searchPath.map {
            $0.replacing("${ORIGIN}", with: folder).replacing("$ORIGIN", with: folder)
        }.filter { $0.hasPrefix("/") }
    }
}
