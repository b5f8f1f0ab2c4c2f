import LullModel

/// A span in which no host could launch anything.
extension Ledger {
    /// Marks the tasks that became due meanwhile and were not launched; their closed gates may have opened since.
    mutating func applyAbsence(_ absence: Absence) {
        let length = absence.length.milliseconds
        away.add(until: absence.end, milliseconds: length)
        if absence.cause.isOfMachine { absences.add(until: absence.end, milliseconds: length) }
        for (task, record) in tasks {
            guard record.pending != nil, let opens = record.opens, opens >= absence.start,
                opens <= absence.end
            else { continue }
            tasks[task]?.closed = [:]
            tasks[task]?.absent = DueWhileAbsent(
                due: opens, from: absence.start, until: absence.end, cause: absence.cause)
        }
    }
}
