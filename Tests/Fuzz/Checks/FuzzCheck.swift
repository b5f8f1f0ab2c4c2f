/// A reader of untrusted input, with the rules that hold for any input.
///
/// libFuzzer searches for inputs that break them (`make fuzz`), and the tests replay all that it ever found. A trap, a
/// hang or a thrown `Broken` is a finding.
public enum FuzzCheck: String, CaseIterable, Sendable {
    case manifest, history, usage, wire, worker, control, plugin, move, web, notice, settings, transfer,
        calendar

    public func run(_ bytes: [UInt8]) throws {
        switch self {
        case .manifest: try ManifestCheck.run(bytes)
        case .history: try HistoryCheck.run(bytes)
        case .usage: try UsageCheck.run(bytes)
        case .wire: try WireCheck.run(bytes)
        case .worker: try WorkerCheck.run(bytes)
        case .control: try ControlCheck.run(bytes)
        case .plugin: try PluginCheck.run(bytes)
        case .move: try MoveCheck.run(bytes)
        case .web: try WebCheck.run(bytes)
        case .notice: try NoticeCheck.run(bytes)
        case .settings: try SettingsCheck.run(bytes)
        case .transfer: try TransferCheck.run(bytes)
        case .calendar: try CalendarCheck.run(bytes)
        }
    }
}

/// A rule that an input broke.
public struct Broken: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
}

func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
    guard condition else { throw Broken(otherwise()) }
}

/// The pieces of an input: each follows its length in two bytes; a length beyond the end means the rest.
func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let low = rest.popFirst() {
        let length = min(Int(low) | Int(rest.popFirst() ?? 0) << 8, rest.count)
        pieces.append(rest.prefix(length))
        rest = rest.dropFirst(length)
    }
    return pieces
}
