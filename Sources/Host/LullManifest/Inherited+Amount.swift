import LullModel

extension Inherited {
    /// The amount of refreshes.
    enum Amount {
        /// A number of launches a day.
        case launches(Double)
        /// As many launches as needed for this share of the uses to find data no older than `within`.
        case fresh(Double, within: Duration)

        func give(to task: inout TaskDefinition) {
            switch self {
            case .launches(let perDay): task.budget = perDay
            case .fresh(let share, let within) where task.kind == .refresh:
                (task.freshShare, task.fresh, task.objective) = (share, within, .hits)
            case .fresh: break
            }
        }
    }
}
