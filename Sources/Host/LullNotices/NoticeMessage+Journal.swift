import LullModel

/// A notice as an entry of systemd's journal: fields that `journalctl LULL_KIND=failed` finds.
extension NoticeMessage {
    var journalFields: [(name: String, value: String)] {
        var fields = [
            ("MESSAGE", notice.subject + ": " + notice.reason), ("PRIORITY", isTest ? "6" : priority),
            ("SYSLOG_IDENTIFIER", "lull"), ("LULL_SUBJECT", subject),
        ]
        fields += variables.filter { $0.name != "LULL_SUBJECT" }.map { ($0.name, $0.value) }
        if let output { fields.append(("LULL_OUTPUT", output)) }
        return fields
    }

    private var priority: String {
        switch notice.kind {
        case .failed, .overdue, .manifest: "3"
        case .idle: "4"
        case .recovered, .reported: "5"
        case .output, .notification: "6"
        }
    }
}
