private import Glibc

/// The bytes of a file of uses, piece by piece, from a file, standard input, or the output of a program.
///
/// gzip's format is detected from the first bytes, whatever the name, and read through `gzip -dc`, which every Linux
/// has. A file of any size is read in constant memory.
public final class ImportInput {
    /// For messages: the path, or "standard input".
    public let name: String
    private let pieceBytes = 64 << 10
    private var descriptor: Int32
    private let ownsDescriptor: Bool
    private var child: ChildProgram?
    /// Bytes that were read to detect the format, and that `read` returns first.
    private var peeked: [UInt8] = []
    private var isAtEnd = false

    /// Opens a file; `-` is standard input.
    public static func open(_ path: String) throws(ImportError) -> ImportInput {
        if path == "-" {
            return try ImportInput(name: "standard input", descriptor: STDIN_FILENO, owns: false)
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .folder(path: path) }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
        return try ImportInput(name: path, descriptor: descriptor, owns: true)
    }

    private init(name: String, descriptor: Int32, owns: Bool) throws(ImportError) {
        self.name = name
        self.descriptor = descriptor
        ownsDescriptor = owns
        var head = try read(upTo: 4)
        if head.starts(with: [0x1F, 0x8B]) {
            // Standard input can be rewound too if it is a file.
            guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .compressedStream }
            child = try ChildProgram("gzip", ["-dc"], input: descriptor, of: name)
            isAtEnd = false
            head = try read(upTo: 4)
        }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            throw .wideText(path: name)
        }
        peeked = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
    }

    /// The output of a program.
    init(name: String, program: ChildProgram) {
        self.name = name
        descriptor = -1
        ownsDescriptor = false
        child = program
    }

    /// A text in memory.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        descriptor = -1
        ownsDescriptor = false
        peeked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        isAtEnd = true
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }

    /// The next piece; empty at the end. Throws when the file can't be read to its end.
    public func read() throws(ImportError) -> [UInt8] {
        guard peeked.isEmpty else {
            defer { peeked = [] }
            return peeked
        }
        return try readPiece()
    }

    /// The beginning of the input, a piece or more if there is as much, without consuming it.
    func head() throws(ImportError) -> [UInt8] {
        while peeked.count < pieceBytes, !isAtEnd {
            let more = try readPiece()
            if more.isEmpty { break }
            peeked += more
        }
        return peeked
    }

    private func read(upTo count: Int) throws(ImportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try readPiece()
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    private func readPiece() throws(ImportError) -> [UInt8] {
        guard !isAtEnd else { return [] }
        if let child {
            let piece = try child.read()
            isAtEnd = piece.isEmpty
            return piece
        }
        while true {
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, count in
                let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                failure = got < 0 ? errno : 0
                count = max(got, 0)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw .unreadable(path: name, code: failure) }
            isAtEnd = piece.isEmpty
            return piece
        }
    }
}
