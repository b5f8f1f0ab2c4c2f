import Glibc
import LullHistory
import LullManifest

/// The contents of a state folder, checked by kind, owner and mode before any of it is opened.
///
/// A user who prepared the folder, or once owned it, can leave links in it to files that only the host may write, and
/// pipes that keep it waiting.
struct StateContents {
    struct Problem: Equatable {
        let message: String
        let fix: String
    }

    private let folder: OwnFolder

    init(_ folder: OwnFolder) { self.folder = folder }

    /// The first problem, in the order of the names; nil: there is none.
    var problem: Problem? {
        for name in folder.names {
            if let status = folder.status(of: name), let problem = problem(of: name, status) {
                return problem
            }
        }
        return nil
    }

    private func problem(of name: String, _ status: stat) -> Problem? {
        let path = folder.path + "/" + name
        let kind = status.st_mode & S_IFMT
        let expected = Self.kinds[name] ?? (name.hasPrefix("history.sqlite") ? S_IFREG : nil)
        guard expected.map({ $0 == kind }) ?? [S_IFREG, S_IFDIR, S_IFSOCK].contains(kind) else {
            return Problem(
                message: "'\(name)' in it is \(Self.words(for: kind)), which no host creates there",
                fix: "move it away, or run `rm -r \(path)`")
        }
        // Clients of a socket are identified when they connect. The path to the folder was checked before.
        guard kind != S_IFSOCK, !isClosed(status),
            let breach = Breach.first(to: path, trusting: folder.status.st_uid)
        else {
            return nil
        }
        return Problem(message: breach.message, fix: breach.fix)
    }

    /// Whether its mode alone lets only root, this user and the folder's owner change it.
    private func isClosed(_ status: stat) -> Bool {
        status.st_mode & (S_IWGRP | S_IWOTH) == 0
            && [0, geteuid(), folder.status.st_uid].contains(status.st_uid)
    }

    private static let kinds: [String: mode_t] = {
        let files = [
            "lock", "seen", "passes", "manifest", "manifest.json", "usage.positions", "http-token", "watched",
            StateFolder.placeFile,
        ]
        var kinds = Dictionary(
            uniqueKeysWithValues: (files + files.map { $0 + ".new" }).map { ($0, S_IFREG) })
        kinds["apps"] = S_IFDIR
        kinds["control.sock"] = S_IFSOCK
        return kinds
    }()

    private static func words(for kind: mode_t) -> String {
        switch kind {
        case S_IFLNK: "a link"
        case S_IFIFO: "a pipe"
        case S_IFDIR: "a folder"
        case S_IFREG: "a file"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}
