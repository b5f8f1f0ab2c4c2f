internal import CLullShims
internal import Glibc

/// The way to a file: each folder from the root on, those that links lead through too, and where a stranger could lead
/// it elsewhere.
///
/// The model is ssh's `StrictModes`. It goes from descriptor to descriptor, one name at a time, so each folder that is judged is
/// the one that the next name is looked up in. Where there is no breach nobody but root, this user and whom the caller trusts
/// can give any name on the way another meaning: so what is opened by the same path afterwards is what was judged.
struct PathWalk {
    struct Failure: Error, Equatable {
        let code: CInt
    }

    /// The folder that holds it, so that it can be opened without another walk.
    private var parent: Held
    private var name = "."
    private(set) var status = stat()
    /// Who could change it.
    private(set) var stranger: Stranger?
    /// On the way to it, from the root on.
    private(set) var breaches: [Breach] = []
    /// Without links.
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

    /// Opens what was found, if it still is no link.
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
        // Where anybody may make a link, it is its owner who says where it leads.
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
            // Asked for a folder the kernel mounts what is mounted on demand; asked for anything it does not.
            return try Held(opening: name, in: parent.descriptor, O_DIRECTORY | O_NOFOLLOW)
        } catch {
            guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
            return try Held(opening: name, in: parent.descriptor, O_NOFOLLOW)
        }
    }

    /// Into what was found last, which has to be a folder, and notes who could exchange what is in it.
    private mutating func enter() throws(Failure) {
        guard isFolder else { throw Failure(code: ENOTDIR) }
        if name != "." {
            parent = try Held(opening: name, in: parent.descriptor, O_DIRECTORY | O_NOFOLLOW)
            try stay()
        }
        // In such a folder each name is its owner's, and he is judged where it leads to: but for the folder's own owner.
        let stranger = isOpenToMany ? Stranger(ownerOf: status, user: user) : stranger
        if let stranger, !breaches.contains(where: { $0.path == realPath }) {
            breaches.append(Breach(path: realPath, stranger: stranger))
        }
    }

    /// What is judged is what stands here, whatever it was when its name was looked up.
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

    /// A descriptor that only names what it leads to.
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
