import Glibc
import LullManifest
import LullModel

/// The machine's files and, under the name `<stdin>`, a command's input, whose relative paths start in the current folder.
struct StandardInputFile: FileSystem {
    static let name = "<stdin>"

    private let machine = LocalFileSystem()
    private let input: [UInt8]

    /// Reads to the end, or until there is more than a manifest may have.
    init() {
        var input: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while input.count <= Limits.manifestBytes {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            input += piece[..<count]
        }
        self.input = input
    }

    var currentFolder: String { machine.currentFolder }

    func entry(at path: String) -> FileEntry? { machine.entry(at: path) }

    func target(ofLink path: String) -> String? { machine.target(ofLink: path) }

    func names(in folder: String) -> [String] { machine.names(in: folder) }

    func bytes(of path: String) throws(FileProblem) -> [UInt8] {
        path == Self.name ? input : try machine.bytes(of: path)
    }
}
