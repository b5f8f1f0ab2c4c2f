import GRDB
import LullModel
import Testing

@testable import LullHistory

@Suite struct `What the history says of itself` {
    static let sentences: [(HistoryError, String)] = [
        (
            .missing(folder: "/s"),
            "/s: error: there is no history here yet.\n"
                + "Start a host with 'lull run' or record a use with 'lull used', or name another folder with --state."
        ),
        (
            .held(folder: "/s", holder: .init(pid: 7, since: WallTime(seconds: 0))),
            "/s: error: another host has this state: process 7, since 1970-01-01T00:00:00.000Z.\n"
                + "Let it end first, or name another folder with --state."
        ),
        (
            .vanished(path: "/s/history.sqlite"),
            "/s/history.sqlite: error: it was deleted, moved or unmounted under the running host.\n"
                + "Put back what was there, or begin with an empty folder, and start the host again. Every change that "
                + "a command confirmed had been recorded before."
        ),
        (
            .full(path: "/s/history.sqlite"),
            "/s/history.sqlite: error: the history can't be written: the disk is full.\n"
                + "Free some space; what was not recorded did not happen."
        ),
        (
            .newer(path: "/s/history.sqlite", version: 3, known: 1),
            "/s/history.sqlite: error: this history has version 3; this Lull knows versions up to 1.\n"
                + "Run the Lull that wrote it, or name another folder with --state."
        ),
    ]

    @Test(arguments: sentences)
    func `is a sentence with a place and a remedy`(_ error: HistoryError, _ text: String) {
        #expect(error.description == text)
    }

    /// SQLite has three codes for it, depending on how long it has tried and on the lock.
    @Test(arguments: [ResultCode.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL])
    func `that somebody holds its lock is one error`(_ code: ResultCode) {
        let error = HistoryError(DatabaseError(resultCode: code), path: "/nowhere/history.sqlite")
        #expect(error == .busy(path: "/nowhere/history.sqlite", holder: nil))
    }
}
