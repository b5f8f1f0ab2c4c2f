import LullAnswers
import LullCommands
import LullModel

/// A transfer as the page lists it: what `lull transfers --json` prints, and the words of `lull transfers`.
struct PageTransferJSON: Encodable {
    let transfer: TransferJSON
    let state: String
    let deed: String
    /// 0...1; nil: nobody knows how much there is.
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
