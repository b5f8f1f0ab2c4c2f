import LullModel
import LullSimulator
import Synchronization

/// A replay of one week, with the lines before its first fault.
struct Replay {
    let trace: Trace
    let lines: [String]

    private struct Book: Sendable {
        var lines: [String] = []
        var isClosed = false
    }

    /// `limit`: how many lines before the first fault, or before the end, are kept; 0: all of them.
    init(seed: UInt64, of theme: RoughWeek.Theme, lines limit: Int) {
        let book = Mutex(Book())
        let supervisor = Supervisor(book)
        var world = RoughWeek.world(seed: seed, of: theme)
        let zone = world.zones.host
        world.tell = { clock, line in
            supervisor.book.withLock { book in
                if book.isClosed { return }
                let local = zone.local(clock.wall)
                book.lines.append(Self.stamp(local, clock.wall) + " " + line)
                if limit > 0, book.lines.count > 2 * limit { book.lines.removeFirst(limit) }
                if line.hasPrefix("!") { book.isClosed = true }
            }
        }
        var simulation = Simulation(world)
        simulation.run(days: RoughWeek.days)
        trace = simulation.trace
        let kept = supervisor.book.withLock { $0.lines }
        lines = limit > 0 ? kept.suffix(limit) : kept
    }

    private final class Supervisor: Sendable {
        let book: Mutex<Book>
        init(_ book: consuming Mutex<Book>) { self.book = book }
    }

    private static func stamp(_ local: LocalTime, _ time: WallTime) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let millisecond = ((time.milliseconds % 1000) + 1000) % 1000
        return
            "\(two(local.month))-\(two(local.day)) \(two(local.hour)):\(two(local.minute)):\(two(local.second))"
            + "." + String(millisecond + 1000).dropFirst()
    }
}
