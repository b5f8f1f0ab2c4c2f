private import Glibc
public import LullModel

/// What is there now, for those who look once.
extension FileArrivals {
    /// What differs from `kept`, for callers that look once and do not watch; without files that have not come to rest.
    public static func look(
        at path: WatchedPath, kept: Kept, now: WallTime
    ) -> (arrival: Arrival, trouble: String?) {
        let (files, trouble) = look(path)
        var arrival = Arrival()
        for (name, stamp) in files where !stamp.isSame(as: kept[name]) {
            let touched = max(stamp.written, stamp.changed) / 1_000_000
            let age = now - WallTime(recorded: touched)
            guard age >= path.settle || age < .zero - .days(1) else { continue }
            arrival.paths.append(Self.join(path, name))
            arrival.names[name] = stamp
        }
        arrival.paths.sort()
        arrival.wasMissed = true
        return (arrival, trouble)
    }

    /// The watched files, as they are now.
    public static func look(_ path: WatchedPath) -> (files: Kept, trouble: String?) {
        switch FileStamp.look(at: path.path) {
        case .file(let stamp) where !path.isFolder: return ([name(of: path.path): stamp], nil)
        case .file: return ([:], "\(path.path) is a file, not a folder")
        case .nothing: return ([:], "\(path.path) is not there yet")
        case .hidden(let code):
            return ([:], "\(path.path) can't be read: \(String(cString: strerror(code)))")
        case .folder: break
        }
        switch FileStamp.names(in: path.path, atMost: Limits.watchedFiles) {
        case .failure(let trouble): return ([:], "\(path.path) can't be read: \(trouble.sentence)")
        case .success(let names):
            let pattern = path.pattern
            var files: Kept = [:]
            for name in names where path.takes(name, pattern) {
                if case .file(let stamp) = FileStamp.look(at: path.path + "/" + name) { files[name] = stamp }
            }
            let isFull = names.count >= Limits.watchedFiles
            return (
                files,
                isFull
                    ? "\(path.path) has \(Limits.watchedFiles) files or more: Lull sees new ones as they come, but not those "
                        + "that came while the host was off" : nil
            )
        }
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// A file may be the path itself.
    static func join(_ path: WatchedPath, _ name: String) -> String {
        if !path.isFolder, name == self.name(of: path.path), FileStamp.look(at: path.path) != .folder {
            return path.path
        }
        return path.path + "/" + name
    }
}
