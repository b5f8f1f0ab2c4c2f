public import Foundation

/// One pass over the listed databases, step by step; the next run goes on with what it could not finish.
public struct Maintenance: Sendable {
    /// One line of the report.
    public struct Note: Sendable, Equatable {
        public var text: String
        public var isProblem: Bool
    }

    public enum Outcome: Sendable, Equatable {
        case finished
        /// A sentence for each problem.
        case failed([String])
        /// Its Swift task was cancelled; `pending` databases are left for the next run.
        case stopped(pending: Int)

        /// One sentence for the log.
        public var message: String {
            switch self {
            case .finished: "All databases are served."
            case .failed(let problems):
                (problems.first ?? "")
                    + (problems.count > 1 ? " There are \(problems.count) problems in all." : "")
            case .stopped(let pending): "The run expired; databases left for the next: \(pending)."
            }
        }
    }

    private let settings: MaintenanceSettings
    private let steps: [MaintenanceStep]
    private let stateFile: String

    /// `stateFile` is where a stopped pass writes down what is left; each task has its own.
    public init(_ settings: MaintenanceSettings, steps: [MaintenanceStep], stateFile: String) {
        self.settings = settings
        self.steps = steps
        self.stateFile = stateFile
    }

    /// Runs until all is done, or until it is cancelled. A problem with one database doesn't keep it from the
    /// others.
    public func run(at now: Date, note: @Sendable (Note) -> Void) async throws -> Outcome {
        let paths = settings.databases.map(\.path)
        let left = Agenda.resumed(from: stateFile, databases: paths, steps: steps)
        if let left {
            note(
                Note(
                    text: "going on with the \(left.pending.count) databases that are left", isProblem: false)
            )
        }
        var agenda = left ?? Agenda(databases: paths, steps: steps)
        var problems: [String] = []
        while let (path, step) = agenda.next {
            guard !Task.isCancelled else {
                try agenda.save(to: stateFile)
                return .stopped(pending: agenda.pending.count)
            }
            guard let item = settings.databases.first(where: { $0.path == path }) else {
                agenda.giveUpDatabase()
                continue
            }
            if item.isOptional, !FileManager.default.fileExists(atPath: path) {
                note(Note(text: "\(path): not there yet", isProblem: false))
                agenda.giveUpDatabase()
                continue
            }
            try agenda.deferringCurrent().save(to: stateFile)
            do {
                let care = DatabaseCare(item, busySeconds: settings.busySeconds)
                if let result = try await care.take(step, at: now) {
                    note(Note(text: "\(path): \(result)", isProblem: false))
                }
                agenda.finishStep()
            } catch is CancellationError {
                note(
                    Note(
                        text: "\(path): \(step.rawValue) was stopped; its turn comes last now",
                        isProblem: false))
                return .stopped(pending: agenda.pending.count)
            } catch {
                problems.append("\(error)")
                note(Note(text: "\(error)", isProblem: true))
                agenda.giveUpDatabase()
            }
        }
        Agenda.remove(at: stateFile)
        return problems.isEmpty ? .finished : .failed(problems)
    }
}
