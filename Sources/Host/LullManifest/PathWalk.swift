internal import CLullShims
internal import Glibc

/// The path to a file: each folder from the root on, also those that links lead through, and the places where a stranger could
/// make it lead elsewhere.
///
/// The model is ssh's `StrictModes`. It goes from descriptor to descriptor, one name at a time, so the next name is looked up
/// in the very folder that was checked. Without a breach, only root, this user and users that the caller trusts can change
/// where a name on the path leads: so a file that is opened by the same path afterwards is the file that was checked.
struct PathWalk {
    struct Failure: Error, Equatable {
        let code: CInt
    }

    /// The folder that holds it, so that it can be opened without another walk.
    private var parent: Held
    private var name = "."
    private(set) var status = stat()
    /// A stranger who could change it.
    private(set) var stranger: Stranger?
    /// The breaches on the path to it, from the root on.
    private(set) var breaches: [Breach] = []
    /// The path without links.
    var realPath: String { "/" + names.joined(separator: "/") }

    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }

    private var names: [String] = []
    private var links = 0
    private let user: uid_t
    private static let mostLinks = 40

    /// `path`: from the current folder on, unless it is absolute.
    init(_ path: String, user: uid_t = geteuid()) throws(Failure) {
        // A path with a NUL in it would be looked up cut short.
        guard !path.utf8.contains(0), !path.isEmpty else { throw Failure(code: ENOENT) }
        self.user = user
        parent = try Held(opening: "/", in: AT_FDCWD, O_DIRECTORY)
        try stay()
        var rest = Self.parts(path)
        if !path.hasPrefix("/") { rest += Self.parts(LocalFileSystem().currentFolder) }
        while let next = rest.popLast() { try go(to: next, &rest) }
    }

    /// Opens the file that was found, if it still is no link.
    func open(_ flags: Int32) -> Int32 { openat(parent.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC) }

    /// The last first.
    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").reversed().filter { $0 != "." }.map(String.init)
    }

    private mutating func go(to next: String, _ rest: inout [String]) throws(Failure) {
        try enter()
        if next == ".." { return try goUp() }
        let isExchangeable = isOpenToMany
        let found = try find(next)
        guard fstat(found.descriptor, &status) == 0 else { throw Failure(code: errno) }
        guard status.st_mode & S_IFMT == S_IFLNK else {
            names.append(next)
            name = next
            stranger = Stranger(status, found.descriptor, user: user)
            return
        }
        // In a folder where anybody may make a link, the link's owner decides where it leads.
        if isExchangeable, let owner = Stranger(ownerOf: status, user: user) {
            breaches.append(Breach(path: path(of: next), stranger: owner, isLink: true))
        }
        links += 1
        guard links <= Self.mostLinks else { throw Failure(code: ELOOP) }
        let target = try Self.target(of: found.descriptor)
        rest += Self.parts(target)
        if target.hasPrefix("/") {
            parent = try Held(opening: "/", in: AT_FDCWD, O_DIRECTORY)
            names = []
        }
        try stay()
    }

    private func find(_ name: String) throws(Failure) -> Held {
        do throws(Failure) {
            // With O_DIRECTORY the kernel mounts a file system that is mounted on demand; without it, it does not.
            return try Held(opening: name, in: parent.descriptor, O_DIRECTORY | O_NOFOLLOW)
        } catch {
            guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
            return try Held(opening: name, in: parent.descriptor, O_NOFOLLOW)
        }
    }

    /// Enters the entry that was found last, which has to be a folder, and notes a stranger who could exchange its content.
    private mutating func enter() throws(Failure) {
        guard isFolder else { throw Failure(code: ENOTDIR) }
        if name != "." {
            parent = try Held(opening: name, in: parent.descriptor, O_DIRECTORY | O_NOFOLLOW)
            try stay()
        }
        // In such a folder only the folder's owner and an entry's owner can exchange the entry. The latter is checked there.
        let stranger = isOpenToMany ? Stranger(ownerOf: status, user: user) : stranger
        if let stranger, !breaches.contains(where: { $0.path == realPath }) {
            breaches.append(Breach(path: realPath, stranger: stranger))
        }
    }

    /// Checks the folder that is open now, whatever its name led to before.
    private mutating func stay() throws(Failure) {
        guard fstat(parent.descriptor, &status) == 0 else { throw Failure(code: errno) }
        name = "."
        stranger = Stranger(status, parent.descriptor, user: user)
    }

    private mutating func goUp() throws(Failure) {
        parent = try Held(opening: "..", in: parent.descriptor, O_DIRECTORY)
        if !names.isEmpty { names.removeLast() }
        try stay()
    }

    /// A folder like /tmp.
    private var isOpenToMany: Bool {
        status.st_mode & S_ISVTX != 0 && status.st_mode & (S_IWGRP | S_IWOTH) != 0
    }

    private func path(of name: String) -> String {
        names.isEmpty ? "/" + name : realPath + "/" + name
    }

    /// An `O_PATH` descriptor, which only names its file.
    private final class Held {
        let descriptor: Int32

        init(opening name: String, in folder: Int32, _ flags: Int32) throws(Failure) {
            descriptor = openat(folder, name, __O_PATH | O_CLOEXEC | flags)
            guard descriptor >= 0 else { throw Failure(code: errno) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    private static func target(of link: Int32) throws(Failure) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(link, "", &bytes, bytes.count)
        guard count > 0 else { throw Failure(code: count < 0 ? errno : ENOENT) }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
