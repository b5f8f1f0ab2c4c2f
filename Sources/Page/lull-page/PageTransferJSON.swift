import LullAnswers
import LullCommands
import LullModel

/// A transfer as the page lists it: the JSON of `lull transfers --json`, and the words of `lull transfers`.
struct PageTransferJSON: Encodable {
    let transfer: TransferJSON
    let state: String
    let deed: String
    /// 0...1; nil: the total is not known.
    let share: Double?
    let doneWords: String
    let why: String

    init(_ report: TransferReport) {
        let phrases = Phrases.current
        let line = TransferLine(report, when: phrases.when)
        transfer = TransferJSON(report)
        state = line.state
        deed = line.deed
        share = report.state.share
        doneWords = [line.percent, line.amount, line.rate].compactMap(\.self).joined(separator: ", ")
        why = (line.reasons + [line.outlook].compactMap(\.self)).joined(separator: "; ")
    }
}
