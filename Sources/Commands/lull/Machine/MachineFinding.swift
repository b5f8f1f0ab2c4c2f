import LullCommands
import LullModel

/// The finding about one part of the machine.
struct MachineFinding: Encodable, Equatable {
    enum Severity: String, Encodable {
        /// The part has all that the manifest needs.
        case ok
        /// It works, but less well; or the manifest does not need it.
        case note
        /// Something that the manifest asks for does not work.
        case error

        var style: Terminal.Style {
            switch self {
            case .ok: .green
            case .note: .yellow
            case .error: .red
            }
        }
    }

    /// "control groups".
    let subject: String
    let severity: Severity
    /// A sentence, and what to do.
    let message: String
    let fix: String?

    static func table(_ findings: [MachineFinding]) -> Table {
        var table = Table(header: ["THIS MACHINE", "IS", "DETAILS"])
        table.rows = findings.map { finding in
            [
                .init(finding.subject), .init(finding.severity.rawValue, finding.severity.style),
                .init(finding.message + (finding.fix.map { " → " + $0 } ?? "")),
            ]
        }
        return table
    }
}
