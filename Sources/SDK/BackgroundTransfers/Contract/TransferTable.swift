import CLullEntry
import CLullPlugin
import Foundation

/// The worker's functions about transfers, in Swift's types: everything that crosses into C does so here.
///
/// A worker of an older version lacks them: then nothing is transferred, and each task's error says so.
struct TransferTable: Sendable {
    // Safe: `lull_plugin.h` promises that the table stays at one address, unchanged, until the process ends, and that its
    // functions may be called on any thread; nothing here writes through the pointer.
    nonisolated(unsafe) let table: UnsafePointer<lull_host>

    /// The host's refusal, as a sentence with the remedy.
    struct Refusal: Error, Equatable {
        var sentence: String
        var isNotPermitted = false
    }

    enum Act { case cancel, cancelKeeping, suspend, resume, taking, taken }

    enum Answer: Equatable, Sendable {
        case credential(user: String, password: String)
        case byDefault, cancel, reject, trust
        /// The delegate has no method for challenges.
        case nobody
    }

    init(_ table: UnsafePointer<lull_host>) { self.table = table }

    /// Nil in a process that is no worker, such as the author's own tests.
    static var current: TransferTable? { replaced ?? lull_entry_host().map(Self.init) }

    /// The table of a test.
    @TaskLocal static var replaced: TransferTable?

    static let noWorker = Refusal(
        sentence:
            "This process is not a Lull worker, so it can't transfer anything. Run the plugin with lull run."
    )
    private static let tooOld = Refusal(
        sentence: "This host's worker knows no transfers. Install a newer version of lull.")

    /// Whether the table is long enough to contain the functions.
    private var isThere: Bool {
        guard let offset = MemoryLayout<lull_host>.offset(of: \.set_transfer_handler) else { return false }
        let size = UnsafeRawPointer(table).load(as: UInt32.self)
        return Int(size) >= offset + MemoryLayout<UnsafeRawPointer>.size
    }

    /// Orders a transfer, and returns its number.
    func transfer(_ order: TransferOrder) throws(Refusal) -> UInt64 {
        guard isThere, let transfer = table.pointee.transfer else { throw Self.tooOld }
        var number: UInt64 = 0
        let refusal = Self.refusal { reason, capacity in
            order.withOrder { transfer(table, $0, &number, reason, capacity) }
        }
        if let refusal { throw refusal }
        return number
    }

    /// All transfers of a session, and an ordinal that it has not had; nil if the host did not answer.
    func transfers(of session: String) -> (next: UInt64, records: [TransferRecord])? {
        guard isThere, let visit = table.pointee.transfers else { return nil }
        let found = FoundTransfers()
        let next = withExtendedLifetime(found) {
            visit(
                table, session, Unmanaged.passUnretained(found).toOpaque(), lull_swift_visit_transfer)
        }
        return next == 0 ? nil : (next, found.records)
    }

    func act(_ act: Act, on transfer: UInt64) throws(Refusal) {
        guard isThere, let function = table.pointee.act_on_transfer else { throw Self.tooOld }
        let refusal = Self.refusal { function(table, transfer, act.number, $0, $1) }
        if let refusal { throw refusal }
    }

    func answer(_ answer: Answer, to transfer: UInt64) throws(Refusal) {
        guard isThere, let function = table.pointee.answer_challenge else { throw Self.tooOld }
        let refusal = Self.refusal { reason, capacity in
            guard case .credential(let user, let password) = answer else {
                return function(table, transfer, answer.number, nil, nil, reason, capacity)
            }
            return function(table, transfer, answer.number, user, password, reason, capacity)
        }
        if let refusal { throw refusal }
    }

    /// Has `lull_swift_transfers_changed` called from now on.
    func watch() {
        guard isThere, let set = table.pointee.set_transfer_handler else { return }
        set(table, nil, lull_swift_transfers_changed)
    }

    private static func refusal(
        _ call: (UnsafeMutablePointer<CChar>?, Int) -> lull_status
    ) -> Refusal? {
        // A reason is a sentence or two; a longer one arrives cut off, never broken.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2048) { reason in
            reason.initialize(repeating: 0)
            let status = call(reason.baseAddress, reason.count)
            if status == lull_status(LULL_OK) { return nil }
            let sentence = reason.baseAddress.map { String(cString: $0) } ?? ""
            return Refusal(
                sentence: sentence.isEmpty ? "The host refused the transfer." : sentence,
                isNotPermitted: status == lull_status(LULL_NOT_PERMITTED))
        }
    }
}

extension TransferTable.Act {
    fileprivate var number: lull_transfer_act {
        let number =
            switch self {
            case .cancel: LULL_TRANSFER_CANCEL
            case .cancelKeeping: LULL_TRANSFER_CANCEL_KEEPING
            case .suspend: LULL_TRANSFER_SUSPEND
            case .resume: LULL_TRANSFER_RESUME
            case .taking: LULL_TRANSFER_TAKING
            case .taken: LULL_TRANSFER_TAKEN
            }
        return lull_transfer_act(number)
    }
}

extension TransferTable.Answer {
    fileprivate var number: lull_answer {
        let number =
            switch self {
            case .credential: LULL_ANSWER_CREDENTIAL
            case .byDefault: LULL_ANSWER_DEFAULT
            case .cancel: LULL_ANSWER_CANCEL
            case .reject: LULL_ANSWER_REJECT
            case .trust: LULL_ANSWER_TRUST
            case .nobody: LULL_ANSWER_NOBODY
            }
        return lull_answer(number)
    }
}

/// Collects the transfers that the host's `transfers` visits, on the calling thread.
private final class FoundTransfers {
    var records: [TransferRecord] = []
}

/// Adds one transfer to the `FoundTransfers` that `context` points to.
@c
func lull_swift_visit_transfer(
    _ context: UnsafeMutableRawPointer?, _ state: UnsafePointer<lull_transfer_state>
) {
    guard let context else { return }
    Unmanaged<FoundTransfers>.fromOpaque(context).takeUnretainedValue().records.append(TransferRecord(state))
}

/// Transfers of a session may have changed.
@c
func lull_swift_transfers_changed(_ context: UnsafeMutableRawPointer?, _ session: UnsafePointer<CChar>) {
    BackgroundSessions.app.changed(String(cString: session))
}
