import Foundation
import Glibc
import LullCommands

/// The whole terminal, taken for a while: its alternate screen, without cursor and echo; given back by `leave`.
final class Screen {
    private var saved = termios()
    private var isTaken = false
    private var shown: [String] = []

    /// Throws a sentence if the output can't be drawn on.
    init(command: String, instead: String) throws {
        guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1 else {
            throw Failure("`\(command)` draws on a terminal, and there is none here. \(instead)")
        }
        guard !Terminal.isDumb else {
            throw Failure(
                "`\(command)` redraws the screen, which a terminal of type 'dumb' can't. \(instead)")
        }
    }

    deinit { leave() }

    var size: ScreenSize {
        let size = ScreenSize.of(STDOUT_FILENO) ?? ScreenSize(columns: 80, rows: 24)
        return ScreenSize(columns: min(max(size.columns, 20), 1000), rows: min(max(size.rows, 2), 1000))
    }

    func enter() {
        guard !isTaken, tcgetattr(STDIN_FILENO, &saved) == 0 else { return }
        var raw = saved
        // The terminal still sends signals: Ctrl-C and Ctrl-Z come as SIGINT and SIGTSTP.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        isTaken = true
        shown = []
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    func leave() {
        guard isTaken else { return }
        isTaken = false
        write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
    }

    /// Shows the lines from the top on; lines that have not changed are not sent again.
    func draw(_ lines: [String], anew: Bool = false) {
        guard isTaken else { return }
        // Lines that were shown on a larger screen have no rows here any more.
        if anew { shown = [] }
        var out = anew ? "\u{1B}[2J" : ""
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ""
            guard row >= shown.count || shown[row] != line else { continue }
            // Cleared before it is written: clearing behind a line as long as the screen would remove its last character.
            out += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)\u{1B}[0m"
        }
        shown = lines
        if !out.isEmpty { write(out) }
    }

    /// Nil at the end of the terminal.
    func keys() -> [KeyPress]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? KeyPress.decode(Array(bytes[..<count])) : nil
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
            written += max(count, 0)
        }
    }
}
