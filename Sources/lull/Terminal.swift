import Glibc

/// What the program writes to: colour and width only where a person looks on.
struct Terminal {
    let isInteractive: Bool
    let columns: Int
    let hasColour: Bool

    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    init(descriptor: Int32) {
        isInteractive = isatty(descriptor) == 1
        var size = winsize()
        let isSized = isInteractive && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 20
        columns = isSized ? Int(size.ws_col) : 120
        // no-color.org: any value that is not empty turns colour off.
        let refuses = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        hasColour = isInteractive && !refuses && !isDumb
    }

    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
