import ArgumentParser
import LullAnswers
import LullCommands
import LullControl
import LullHistory
import LullModel

/// `lull why t17`.
extension WhyCommand {
    func explain(_ transfer: TransferID) throws {
        guard by == nil else { throw Failure("--by is about a task. Leave it out for a transfer.") }
        switch try answer(to: Ask.Transfers(transfer)) {
        case .success(let reports):
            guard let report = reports.first else { break }
            if json { return try Output.json(TransferJSON(report)) }
            let text = TransferWhyText(
                report: report, events: events(of: transfer), phrases: options.phrases)
            return Output.answer(styled: text.rendered(for: .output))
        case .failure(let refusal):
            // A transfer that has ended, and whose app was told, is only in the history.
            let events = events(of: transfer)
            guard !json, let last = events.last else { throw Failure(options.remedy(refusal.sentence)) }
            Output.answer("\(transfer) of \(last.app) is over, and the app has received its result.\n")
            let table = EventTable(events: events, phrases: options.phrases)
            return Output.answer(styled: table.rendered(for: .output))
        }
        throw Failure("There is no transfer \(transfer).")
    }

    /// Empty where the history can't be read.
    private func events(of transfer: TransferID) -> [HistoryEvent] {
        guard let history = try? SQLiteHistory.open(folder: options.folder.path, mode: .readOnly),
            let events = try? history.events(matching: HistoryQuery(names: [.transfer]))
        else { return [] }
        return events.filter { $0.transfer?.id == transfer }
    }
}
