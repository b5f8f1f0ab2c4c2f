import LullModel
import LullWire

/// Judges all that passes between a host and one of its workers, with a view of both ends.
///
/// A second opinion: it shares no code with the session that it watches, and knows what each frame was meant to be.
struct WireWatch: Sendable {
    /// The event that the host has to make of the frame that it is reading.
    enum Due: Sendable, Equatable {
        case nothing
        case news(WorkerEvent)
        case ready([TaskIdentifier])
        case submit(UInt64, WireRequest)
        case withdrawal(UInt64, SubmitID)
        case fatal
        /// Not judged.
        case anything
    }

    private(set) var faults: [String] = []
    let permits: [TaskIdentifier: Kind]
    /// The host's end.
    var due: Due?
    var isReady = false
    /// The host has told its worker to end, or killed it.
    var isEnding = false
    /// A fatal violation was heard.
    var isSilent = false
    var registered: [TaskIdentifier] = []
    var launched: Set<UInt64> = []
    var over: Set<UInt64> = []
    /// The last submit of each number that the host has heard.
    var submits: [UInt64: SubmitID] = [:]
    /// Submits that the host has read, and neither answered nor been told to forget.
    var unanswered: Set<UInt64> = []
    /// The worker's end.
    var isWelcome = false
    var hasSaidHello = false
    var isToldToEnd = false
    var begun: Set<UInt64> = []
    /// How many submits of each number wait for an answer, and of how many it is given up.
    var waits: [UInt64: Int] = [:]
    var givenUp: [UInt64: Int] = [:]

    init(permits: [TaskIdentifier: Kind]) { self.permits = permits }

    mutating func fault(_ sentence: String) { faults.append(sentence) }

    mutating func takeFaults() -> [String] {
        if faults.isEmpty { return [] }
        defer { faults = [] }
        return faults
    }

    func isOpen(_ run: UInt64) -> Bool { launched.contains(run) && !over.contains(run) }

    mutating func launches(_ run: RunID) { launched.insert(run.number) }

    /// The host has told it to end, or killed it.
    mutating func ends() { isEnding = true }

    /// Called when nothing is on its way to the history any more: each submit has to have an answer.
    mutating func checkAnswered() {
        if isEnding || isSilent || unanswered.isEmpty { return }
        fault("submit \(unanswered.sorted().map(String.init).joined(separator: ", ")) has no answer")
        unanswered = []
    }
}
