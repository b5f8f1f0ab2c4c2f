import Foundation

/// The open work of a pass, on disk so that the next run goes on where this one was stopped.
///
/// Before a step begins, its database is written down as the *last* one: a step that never fits the time
/// limit, or that takes the process with it, then delays only its own database.
struct Agenda: Codable, Equatable {
    struct Work: Codable, Equatable {
        var path: String
        var steps: [MaintenanceStep]
    }

    private(set) var pending: [Work]

    init(databases: [String], steps: [MaintenanceStep]) {
        pending = databases.map { Work(path: $0, steps: steps) }
    }

    /// The database whose turn it is, with its next step.
    var next: (path: String, step: MaintenanceStep)? {
        guard let work = pending.first, let step = work.steps.first else { return nil }
        return (work.path, step)
    }

    mutating func finishStep() {
        guard !pending.isEmpty else { return }
        pending[0].steps.removeFirst()
        if pending[0].steps.isEmpty { pending.removeFirst() }
    }

    mutating func giveUpDatabase() {
        guard !pending.isEmpty else { return }
        pending.removeFirst()
    }

    /// The same with the current database at the end.
    func deferringCurrent() -> Agenda {
        var agenda = self
        if let current = agenda.pending.first {
            agenda.pending.removeFirst()
            agenda.pending.append(current)
        }
        return agenda
    }
}

extension Agenda {
    /// The agenda a stopped run left at `path`, without what is no longer wanted; nil when nothing is left to
    /// go on with.
    static func resumed(from path: String, databases: [String], steps: [MaintenanceStep]) -> Agenda? {
        guard let data = FileManager.default.contents(atPath: path),
            var agenda = try? JSONDecoder().decode(Agenda.self, from: data)
        else { return nil }
        agenda.pending = agenda.pending.compactMap { work in
            let wanted = work.steps.filter(steps.contains)
            guard databases.contains(work.path), !wanted.isEmpty else { return nil }
            return Work(path: work.path, steps: wanted)
        }
        return agenda.pending.isEmpty ? nil : agenda
    }

    func save(to path: String) throws(MaintenanceError) {
        do {
            try DurableFile.write(try JSONEncoder().encode(self), to: path)
        } catch let failure as DurableFile.Failure {
            throw .state(path: path, reason: failure.reason)
        } catch {
            throw .state(path: path, reason: "\(error)")
        }
    }

    static func remove(at path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
