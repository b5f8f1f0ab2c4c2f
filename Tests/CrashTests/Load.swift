import Foundation
import LullControl
import LullModel
import Synchronization

/// Clients that ask a host for more than it likes, until it is gone, and write down what it acknowledged.
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

    /// The commands themselves, as people give them.
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

    /// The host is gone: waits until all have noticed.
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
            guard let task = Workshop.tasks.randomElement(using: &random) else { return .status }
            let begin =
                Bool.random(using: &random)
                ? nil
                : WallTime(
                    seconds: Int64(Date().timeIntervalSince1970) + Int64.random(in: 0...3, using: &random))
            return .submit(task, earliestBegin: begin)
        } heard: { [notes] request, answer in
            guard case .submit(let task, _, _) = request else { return }
            switch answer {
            case .done(let sentence):
                guard let id = Notes.request(in: sentence) else { return notes.refused(sentence) }
                notes.accepted(id, task: task.text)
            case .refused(let sentence): notes.refused(sentence)
            default: notes.refused("\(answer)")
            }
        }
    }

    private func use(times: Range<Int64>) {
        var next = times.lowerBound
        converse {
            let app = Workshop.apps[Int(next) % Workshop.apps.count]
            defer { next = min(next + 1, times.upperBound - 1) }
            return .used(app, at: WallTime(milliseconds: next))
        } heard: { [notes] request, answer in
            guard case .used(let app, let time?) = request else { return }
            if case .done = answer {
                notes.used(Account.Use(app: app, time: time))
            } else {
                notes.refused("\(answer)")
            }
        }
    }

    /// Asks one thing after another, over new connections where one ends.
    private func converse(
        _ next: () -> ControlRequest, heard: (ControlRequest, ControlResponse) -> Void
    ) {
        while !hasStopped.load(ordering: .sequentiallyConsistent) {
            guard let client = try? ControlClient(stateFolder: workshop.state, patience: .seconds(20)) else {
                _ = begun.wait(timeout: .now() + .milliseconds(2))
                continue
            }
            while !hasStopped.load(ordering: .sequentiallyConsistent) {
                let request = next()
                guard let answer = try? client.ask(request) else { break }
                heard(request, answer)
                begun.signal()
            }
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
