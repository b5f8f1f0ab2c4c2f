import LullModel

/// When the gates that are closed now are likely to open.
extension OutlookFutures {
    /// `isLast`: no other gate is closed.
    func opening(of verdict: GateFinding, isLast: Bool) -> Outlook.Opening {
        switch verdict.gate.opener {
        case .somebody: .never
        case .start where verdict.gate == .requested:
            started.isAskedFor ? .unknown("a host asks for it as it starts its app") : .never
        case .start:
            started.isRegistered ? .unknown("it opens as soon as a host has started its app") : .never
        case .time where verdict.gate == .earliestBegin && started.awaitsBoot:
            .unknown("it opens when the machine boots")
        case .time: verdict.until.map { .at($0) } ?? .never
        case .fleet:
            verdict.until.map { .at($0) }
                ?? (verdict.fact.needsSomebody
                    ? .never : .unknown("it opens when the fleet gives it to this host"))
        case .end: .unknown("it opens when the current run has ended")
        case .room: .unknown("it opens when there is room on the disk again")
        case .condition: prospect.opening(ofCondition: verdict.gate)
        case .use: prospect.openingByUse
        case .moment: openingOfMoment(verdict, isLast: isLast)
        }
    }

    /// The last gate opens when the task is launched; a plan stands while others hold the task back.
    private func openingOfMoment(_ verdict: GateFinding, isLast: Bool) -> Outlook.Opening {
        if let unknown { return .unknown(unknown) }
        if !isLast, let planned = verdict.until {
            return .likely(half: prospect.within(planned), most: prospect.within(planned))
        }
        return .likely(half: prospect.within(quantile(0.5)), most: prospect.within(quantile(0.9)))
    }
}
