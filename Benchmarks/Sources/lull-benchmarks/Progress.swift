import Foundation

/// Prints the current measurement to standard error; only the table goes to standard output.
enum Progress {
    static func say(_ words: String) {
        FileHandle.standardError.write(Data((words + "\n").utf8))
    }
}
