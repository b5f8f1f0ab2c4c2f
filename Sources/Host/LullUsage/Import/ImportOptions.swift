public import LullModel

/// The options for reading a file of uses.
public struct ImportOptions: Sendable {
    /// The app of the uses; nil if the file's column `app` names it.
    public var app: AppIdentifier?
    /// Put before the app names in the file, with a dot: `com.example` turns `app7` into `com.example.app7`.
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
    /// The zone of times without an offset.
    public var zone = Zone.utc
    /// Later times are in the future.
    public var now: WallTime

    public init(app: AppIdentifier?, now: WallTime) {
        self.app = app
        self.now = now
    }
}
