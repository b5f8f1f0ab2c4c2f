private import Glibc
import LullModel
import LullSystem

/// Uses in the messages of a unit in systemd's journal.
///
/// `journalctl` reads the journal in a process of its own, so a damaged journal can crash that process alone. It
/// sleeps until there is a new message. Without a loop it runs once, up to the last message, for `run --once`.
final class JournalFollower: SourceFollower {
    private let unit: String
    private let program: String
    private let expression: LineExpression?
    private let loop: EventLoop?
    private let changed: () -> Void
    private var child: ChildProcess?
    private var splitter = LineSplitter()
    private var cursor: (text: String, read: WallTime)?
    private var uses: [WallTime] = []
    private var fault: UsageFault?
    /// How long a pass without a loop waits for `journalctl`.
    private static let timeout: Duration = .seconds(10)
    private static let secondsOfMemory = UsageSessions.memory.components.seconds

    /// Nil if `match` is not a regular expression; the manifest refuses those.
    init?(
        unit: String, match: String?, from place: UsagePlace?, program: String, loop: EventLoop?,
        changed: @escaping () -> Void
    ) {
        if let match {
            guard let expression = LineExpression(match) else { return nil }
            self.expression = expression
        } else {
            expression = nil
        }
        self.unit = unit
        self.program = program
        self.loop = loop
        self.changed = changed
        if case .journal(let text, let read) = place { cursor = (text, read) }
    }

    var place: UsagePlace? { cursor.map { .journal(cursor: $0.text, read: $0.read) } }

    func look(_ look: inout Look) {
        if child == nil { start(&look) }
        for time in uses { look.found(time) }
        uses = []
        if let fault {
            look.complain(fault)
            // Not retried: after systemd was installed, the manifest has to be read anew.
            look.isBlocked = fault != .noJournal(unit: unit)
            self.fault = nil
        }
    }

    private func start(_ look: inout Look) {
        splitter = LineSplitter()
        do throws(ChildProcess.Refusal) {
            let child = try ChildProcess(
                [program] + arguments(at: look.now),
                environment: ChildProcess.environment(of: ["PATH", "HOME", "TZ"]))
            if let loop {
                self.child = child
                listen(to: child, on: loop)
            } else {
                let deadline = Clock.monotonic + Self.timeout
                while let bytes = child.read(until: deadline) {
                    guard bytes.isEmpty else {
                        take(bytes[...], at: look.now)
                        continue
                    }
                    let ending = child.end()
                    if ending.trouble != nil { ended(Self.words(of: ending)) }
                    break
                }
            }
        } catch {
            fault =
                error.code == ENOENT
                ? .noJournal(unit: unit)
                : .journalEnded(unit: unit, words: String(cString: strerror(error.code)))
        }
    }

    private func listen(to child: ChildProcess, on loop: EventLoop) {
        do throws(LoopError) {
            try child.listen(on: loop) { [unowned self] bytes in
                take(bytes, at: Clock.wall)
                if !uses.isEmpty { changed() }
            } ended: { [unowned self] ending in
                self.child = nil
                ended(Self.words(of: ending))
                changed()
            }
        } catch {
            self.child = nil
            ended(error.message)
        }
    }

    private static func words(of ending: ChildProcess.Ending) -> String {
        guard let trouble = ending.trouble else { return "it exited with 0." }
        return ending.lastWords ?? trouble + "."
    }

    private func ended(_ words: String) {
        // A journal that was deleted may no longer know the cursor; then the time is used instead.
        if words.contains("cursor") { cursor?.text = "" }
        fault = .journalEnded(unit: unit, words: words)
    }

    /// Asks for long messages in full, and only for messages that have not been read yet.
    private func arguments(at now: WallTime) -> [String] {
        var arguments = [
            "--output=json", "--output-fields=MESSAGE", "--all", "--quiet", "--no-pager", "--unit=" + unit,
        ]
        if loop != nil { arguments += ["--follow", "--no-tail"] }
        if let cursor, !cursor.text.isEmpty {
            arguments.append("--after-cursor=" + cursor.text)
        } else {
            let since = cursor?.read.seconds ?? now.seconds - Self.secondsOfMemory
            arguments.append("--since=@\(since)")
        }
        return arguments
    }

    private func take(_ bytes: ArraySlice<UInt8>, at now: WallTime) {
        splitter.feed(bytes) { line in
            guard let entry = JournalEntry(json: line) else { return }
            cursor = (entry.cursor, now)
            guard expression?.matches(entry.message[...]) ?? true else { return }
            uses.append(entry.time)
        }
    }
}
