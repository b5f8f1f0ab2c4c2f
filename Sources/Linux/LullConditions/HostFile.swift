private import Glibc

/// Why a file of the host can't be used, with its path.
struct Unreadable: Error, Equatable {
    let path: String
    let code: Int32
    /// What is wrong with the content; nil: it could not be read.
    let fault: String?

    init(path: String, code: Int32) {
        self.path = path
        self.code = code
        fault = nil
    }

    init(path: String, fault: String) {
        self.path = path
        code = 0
        self.fault = fault
    }

    var isMissing: Bool { fault == nil && (code == ENOENT || code == ENODEV) }
    var reason: String {
        fault.map { "\(path) \($0)" } ?? "can't read \(path): \(String(cString: strerror(code)))"
    }
}

/// The host's files, read whole and within a limit: total, whatever they hold.
enum HostFile {
    /// A route table of some ten thousand lines; a longer file is cut.
    static let limit = 4 << 20

    static func text(_ path: String) throws(Unreadable) -> String {
        // O_NONBLOCK: a named pipe in a tree of files must not hang the loop.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Unreadable(path: path, code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Unreadable(path: path, code: errno) }
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The one word of a file, which most files of sysfs have.
    static func word(_ path: String) throws(Unreadable) -> String {
        let text = try text(path)
        let word = text.prefix { $0 != "\n" }
        guard !word.isEmpty else { throw Unreadable(path: path, fault: "is empty") }
        return String(word)
    }

    static func number(_ path: String) throws(Unreadable) -> Int64 {
        let word = try word(path)
        guard let number = Int64(word) else {
            throw Unreadable(path: path, fault: "says \(quoted(word)), not a number")
        }
        return number
    }

    /// The names in a folder, sorted.
    static func names(in path: String) throws(Unreadable) -> [String] {
        guard let folder = opendir(path) else { throw Unreadable(path: path, code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    struct Stamps {
        var accessed: Int64
        var modified: Int64
    }

    /// When a file was last read and written, in whole seconds.
    static func stamps(_ path: String) throws(Unreadable) -> Stamps {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Unreadable(path: path, code: errno) }
        return Stamps(accessed: Int64(status.st_atim.tv_sec), modified: Int64(status.st_mtim.tv_sec))
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// A foreign word, made safe for a sentence.
    static func quoted(_ word: some StringProtocol) -> String {
        let plain = word.prefix(40).unicodeScalars.map {
            $0.value < 32 || $0.value == 127 ? "?" : Character($0)
        }
        return "“\(String(plain))\(word.count > 40 ? "…" : "")”"
    }
}

/// Lines of `KEY=value` below optional `[section]`s: what systemd and NetworkManager write.
struct KeyFile {
    private var values: [String: String] = [:]

    init(_ text: String) {
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = line.dropFirst().dropLast() + "/"
            } else if let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].filter { $0 != " " }
                let value = line[line.index(after: equals)...].drop { $0 == " " }
                values[section + key] = String(value)
            }
        }
    }

    /// `KEY`, or `section/KEY`.
    subscript(key: String) -> String? { values[key] }
}
