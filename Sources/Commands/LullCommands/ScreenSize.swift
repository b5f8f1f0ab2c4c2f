import Glibc

/// How many characters a terminal shows.
package struct ScreenSize: Equatable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Nil when the descriptor is no terminal, or one that does not know.
    package static func of(_ descriptor: Int32) -> ScreenSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
