import Glibc

/// The output of the program: colour only on a terminal, and lines as wide as it is.
package struct Terminal {
    package let isInteractive: Bool
    package let columns: Int
    package let hasColour: Bool

    package static let output = Terminal(descriptor: STDOUT_FILENO)
    package static let error = Terminal(descriptor: STDERR_FILENO)

    package init(descriptor: Int32) {
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

    package init(columns: Int, hasColour: Bool = false) {
        isInteractive = true
        self.columns = columns
        self.hasColour = hasColour
    }

    /// Whether it can neither colour nor redraw.
    package static var isDumb: Bool {
        getenv("TERM").map { ["dumb", ""].contains(String(cString: $0)) } ?? true
    }

    package enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case reverse = "7"
    }

    package func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
