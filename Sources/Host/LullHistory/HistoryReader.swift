import GRDB
import Synchronization

/// The connection that queries use.
///
/// A host that salvages a damaged history gives its path to another file. A reader in another process then continues with
/// that file.
final class HistoryReader: Sendable {
    private struct Connection {
        let queue: DatabaseQueue
        let names: SharedNames
        let device: UInt64
        let inode: UInt64
    }

    private let path: String
    /// False for a writer: its own file keeps its path, or the host ends.
    private let follows: Bool
    private let connection: Mutex<Connection>

    init(_ path: String, follows: Bool) throws {
        self.path = path
        self.follows = follows
        connection = Mutex(try Self.open(path))
    }

    private static func open(_ path: String) throws -> Connection {
        let place = DatabaseFiles.identity(of: path)
        let queue = try DatabaseQueue(path: path, configuration: SQLiteHistory.configuration(readonly: true))
        return Connection(
            queue: queue, names: SharedNames(), device: place?.device ?? 0, inode: place?.inode ?? 0)
    }

    /// If there is no file at the path, or it can't be opened, the previous file is read further.
    func current() throws -> (DatabaseQueue, SharedNames) {
        connection.withLock { connection in
            if follows, let place = DatabaseFiles.identity(of: path),
                place != (connection.device, connection.inode), let next = try? Self.open(path)
            {
                connection = next
            }
            return (connection.queue, connection.names)
        }
    }

    func close() throws { try connection.withLock(\.queue).close() }
}
