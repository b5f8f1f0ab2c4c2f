import CLullPlugin

/// What version 1.2 of the contract has added: pushes.
extension HostTable {
    /// Tells people of the push that a run was launched for.
    func report(push text: String, of task: lull_task) {
        guard table.has(\.report_push), let report = table.pointee.report_push else { return }
        report(table, task, text.withoutNul)
    }
}
