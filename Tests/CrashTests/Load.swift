import Foundation
import LullControl
import LullModel
import Synchronization

/// Clients that overload a host until it is gone, and note its acknowledgements.
final class Load: Sendable {
    private let workshop: Workshop
    private let notes: Notes
    private let hasStopped = Atomic(false)
    private let ends = DispatchGroup()
    /// Signalled at the first acknowledgement.
    let begun = DispatchSemaphore(value: 0)

    init(_ workshop: Workshop, _ notes: Notes) {
        self.workshop = workshop
        self.notes = notes
    }

    func begin(seed: UInt64, useTimes: Range<Int64>) {
        for client in 0..<2 {
            run { [self] in submit(SeededGenerator(seed: seed &+ UInt64(client))) }
        }
        run { [self] in use(times: useTimes) }
    }

    /// The commands themselves, as people use them.
    func beginCommands(task: TaskIdentifier) {
        run { [self] in
            let output = Pipe()
            guard
                let command = try? workshop.start(
                    ["submit", task.text], output: output.fileHandleForWriting)
            else { return notes.refused("`lull submit` can't be started") }
            try? output.fileHandleForWriting.close()
            let data = (try? output.fileHandleForReading.readToEnd()) ?? nil
            command.waitUntilExit()
            guard command.terminationStatus == 0 else { return }
            let answer = String(decoding: data ?? Data(), as: UTF8.self)
            if let request = Notes.request(in: answer) { notes.accepted(request, task: task.text) }
        }
    }

    /// Waits until all clients have noticed that the host is gone.
    func end() {
        hasStopped.store(true, ordering: .sequentiallyConsistent)
        ends.wait()
    }

    private func run(_ body: @escaping @Sendable () -> Void) {
        ends.enter()
        let thread = Thread { [ends] in
            body()
            ends.leave()
        }
        thread.start()
    }

    private func submit(_ generator: SeededGenerator) {
        var random = generator
        converse {
            let task = Workshop.tasks[Int.random(in: 0..<Workshop.tasks.count, using: &random)]
            let begin =
                Bool.random(using: &random)
                ? nil
                : WallTime(
                    seconds: Int64(Date().timeIntervalSince1970) + Int64.random(in: 0...3, using: &random))
            return Ask.Submit(task, earliestBegin: begin)
        } heard: { [notes] order, sentence, isDone in
            guard isDone, let id = Notes.request(in: sentence) else { return notes.refused(sentence) }
            notes.accepted(id, task: order.task.text)
        }
    }

    private func use(times: Range<Int64>) {
        var next = times.lowerBound
        converse {
            let app = Workshop.apps[Int(next) % Workshop.apps.count]
            defer { next = min(next + 1, times.upperBound - 1) }
            return Ask.Used(app, at: WallTime(milliseconds: next))
        } heard: { [notes] order, sentence, isDone in
            guard isDone, let time = order.time else { return notes.refused(sentence) }
            notes.used(Account.Use(app: order.app, time: time))
        }
    }

    /// Sends one order after another, over a new connection when one ends.
    private func converse<O: Order>(
        _ next: () -> O, heard: (_ order: O, _ sentence: String, _ isDone: Bool) -> Void
    ) {
        while !hasStopped.load(ordering: .sequentiallyConsistent) {
            guard let client = try? ControlClient(stateFolder: workshop.state, timeout: .seconds(20)) else {
                _ = begun.wait(timeout: .now() + .milliseconds(2))
                continue
            }
            while !hasStopped.load(ordering: .sequentiallyConsistent) {
                let order = next()
                do throws(ControlError) {
                    heard(order, try client.ask(order).sentence, true)
                } catch {
                    guard case .refused(let sentence) = error else { break }
                    heard(order, sentence, false)
                }
                begun.signal()
            }
        }
    }
}
