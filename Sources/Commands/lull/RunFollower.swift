import Glibc
import LullCommands
import LullControl
import LullHistory
import LullModel

/// Shows the output of a run as it comes, each stream on this command's own.
struct RunFollower {
    /// Whether the plugin's log of the run is shown, too.
    var showsLog = true
    /// The position up to which the output was shown, or is no longer kept.
    private var place = 0
    /// For each stream, the bytes of a character that is not complete yet.
    private var rests: [String: [UInt8]] = [:]
    /// Whether the last output ends a line.
    private(set) var isAtLineStart = true
    private var lastIsError = false

    init(showsLog: Bool = true) { self.showsLog = showsLog }

    /// Shows what the run prints until it is over. The host drops a run's output once the history has its end, so the rest
    /// comes from the history.
    mutating func follow(_ run: RunID, through client: borrowing ControlClient, in folder: String)
        throws(ControlError)
    {
        while true {
            let part = try client.ask(Ask.Printed(by: run, from: place, waits: true))
            show(part)
            guard part.isOver else { continue }
            let history = try? SQLiteHistory.open(folder: folder, mode: .readOnly)
            guard let output = try? history?.output(of: run) else { return endLine() }
            return show(output)
        }
    }

    mutating func show(_ part: PrintedPart) {
        for piece in part.pieces { show(Array(piece.bytes), piece.stream, from: piece.start) }
    }

    /// Shows the output that the history keeps.
    mutating func show(_ output: RunOutput) {
        for piece in output.pieces { show(piece.bytes, piece.stream.rawValue, from: piece.start) }
        endLine()
    }

    private mutating func show(_ bytes: [UInt8], _ stream: String, from start: Int) {
        let known = min(max(0, place - start), bytes.count)
        if start > place {
            endLine()
            Output.error("… \(start - place) bytes not kept …")
        }
        place = max(place, start + bytes.count)
        guard known < bytes.count, showsLog || stream != OutputChunk.Stream.log.rawValue else { return }
        let whole = (rests[stream] ?? []) + bytes[known...]
        let cut = Self.endOfWholeCharacters(whole)
        rests[stream] = Array(whole[cut...])
        write(whole[..<cut], isError: stream == OutputChunk.Stream.standardError.rawValue)
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>, isError: Bool) {
        guard let last = bytes.last else { return }
        isAtLineStart = last == UInt8(ascii: "\n")
        lastIsError = isError
        Output.printed(Array(bytes), isError: isError)
    }

    private mutating func endLine() {
        for (stream, rest) in rests {
            write(rest[...], isError: stream == OutputChunk.Stream.standardError.rawValue)
        }
        rests = [:]
        if isatty(STDOUT_FILENO) == 1 { endLastLine() }
    }

    /// Ends the last line of the run's output, so that the next message does not stand behind it.
    mutating func endLastLine() {
        if !isAtLineStart { write([UInt8(ascii: "\n")], isError: lastIsError) }
    }

    /// The number of bytes before a UTF-8 character that is not complete.
    static func endOfWholeCharacters(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte < 0x80 { return bytes.count }
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                return length > back ? bytes.count - back : bytes.count
            }
        }
        return bytes.count
    }
}
