import Foundation
import LullCommands
import Synchronization

/// How far a backtest or a simulation has come, on one line of a terminal; nothing if there is no terminal.
final class ReplayProgress: Sendable {
    private let shares: Mutex<(parts: [Double], shown: Int)>
    private let verb: String
    private let isShown = Terminal.error.isInteractive

    init(parts: Int, verb: String = "replayed") {
        self.verb = verb
        shares = Mutex((Array(repeating: 0, count: parts), -1))
    }

    func note(_ share: Double, of part: Int) {
        guard isShown else { return }
        shares.withLock {
            $0.parts[part] = share
            let percent = Int(100 * $0.parts.reduce(0, +) / Double($0.parts.count))
            guard percent > $0.shown else { return }
            $0.shown = percent
            FileHandle.standardError.write(Data("\r\(percent) % \(verb) …".utf8))
        }
    }

    func end() {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
