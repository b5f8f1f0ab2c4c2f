public import LullModel

/// How a file of uses is to be read.
public struct ImportOptions: Sendable {
    /// Whose uses these are; nil: the file's column `app` says so.
    public var app: AppIdentifier?
    /// Put before the names of apps that the file has, with a dot: `com.example` makes `app7` to `com.example.app7`.
    public var prefix: String?
    public var format = ImportFormat.auto
    /// Only lines that match this POSIX extended regular expression; nil: all.
    public var match: String?
    public var time = ImportTime.automatic
    /// The name or number, from 1, of the column with the time.
    public var column: String?
    /// The field with the time; `a.b` is b within a.
    public var field: String?
    /// Only commits of this author, as `git log --author` has it.
    public var author: String?
    public var since = WallTime.distantPast
    /// What times without an offset are meant in.
    public var zone = Zone.utc
    /// Later times are in the future.
    public var now: WallTime

    public init(app: AppIdentifier?, now: WallTime) {
        self.app = app
        self.now = now
    }
}
