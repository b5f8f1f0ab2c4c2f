import CLullPlugin

/// Version 1.2 of the contract: pushes.
extension HostTable {
    /// Notifies people of the push that a run was launched for.
    func report(push text: String, of task: lull_task) {
        guard table.has(\.report_push), let report = table.pointee.report_push else { return }
        report(table, task, text.withoutNul)
    }
}
