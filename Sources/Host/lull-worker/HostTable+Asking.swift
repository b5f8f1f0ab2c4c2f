import CLullPlugin
import LullModel
import LullWire

/// The host's answer to a question of the plugin's.
struct HostVerdict {
    var status: lull_status
    var sentence: String
    /// 0: none.
    var transfer: UInt64 = 0

    static func unavailable(_ sentence: String) -> HostVerdict {
        HostVerdict(status: lull_status(LULL_UNAVAILABLE), sentence: sentence)
    }

    /// Copies the sentence as `snprintf` does.
    func explain(_ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> lull_status {
        CText.copy(Array(sentence.utf8), to: reason, capacity: capacity)
        return status
    }
}

/// Asks the host. A question that it does not answer in time is withdrawn; one that can't be withdrawn may still be
/// carried out.
func verdict(of host: Host, withdraws: Bool = true, _ frame: (UInt64) -> WorkerFrame) -> HostVerdict {
    guard let session = session(host) else { return .unavailable("") }
    let (sequence, answer) = session.ask(frame)
    switch answer {
    case .verdict(let status, let sentence): return HostVerdict(status: status, sentence: sentence)
    case .transferred(let status, let sentence, let transfer):
        return HostVerdict(status: status, sentence: sentence, transfer: transfer)
    case .pending, .notifications, .transfers, .done, nil: break
    }
    let wait = "The host did not answer within \(Limits.submitWait.milliseconds) ms; "
    // Without a number it was never sent, so there is nothing to take back.
    guard sequence == 0 || withdraws else {
        return .unavailable(wait + "it may still carry out the request. Ask again later.")
    }
    if sequence != 0 { ControlSocket.send(.withdraw(sequence: sequence)) }
    return .unavailable(wait + "the request has no effect. Ask again later.")
}
