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
        let size = isInteractive ? ScreenSize.of(descriptor) : nil
        // For a pipe whose reader knows how wide it is.
        let told = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        let columns = size?.columns ?? told ?? 0
        self.columns = columns > 20 ? min(columns, 1000) : 120
        // no-color.org: any value that is not empty turns colour off.
        let refuses = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        hasColour = isInteractive && !refuses && !Self.isDumb
    }

    init(columns: Int, hasColour: Bool = false) {
        isInteractive = true
        self.columns = columns
        self.hasColour = hasColour
    }

    /// It can neither colour nor go back to draw anew.
    static var isDumb: Bool { getenv("TERM").map { ["dumb", ""].contains(String(cString: $0)) } ?? true }

    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case reverse = "7"
    }

    func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
