import LullModel
import LullSystem

/// The follower of each kind of source.
extension UsageFollower {
    /// Nil if the source can't be followed without a loop, or its `match` is not a regular expression.
    func makeFollower(for key: SourceKey, from place: UsagePlace?, changed: @escaping () -> Void)
        -> (any SourceFollower)?
    {
        var position: LogPosition?
        if case .log(let known) = place { position = known }
        let surroundings = self.surroundings
        switch key.source {
        case .log(let path, let match, let time):
            let moment = { Moment(now: surroundings.clock(), zone: surroundings.zone()) }
            guard let reader = LineReader(match: match, time: time, moment: moment) else { return nil }
            return LogFollower(
                path, of: key.app, from: position, events: events, reader: { reader }, changed: changed)
        case .login(let user):
            let path = surroundings.roots.logins
            return LogFollower(
                path, of: key.app, from: position, events: events, absence: .noLogins(path: path),
                reader: { LoginReader(user: user) }, changed: changed)
        case .journal(let unit, let match):
            return JournalFollower(
                unit: unit, match: match, from: place, program: surroundings.roots.journalctl, loop: loop,
                changed: changed)
        case .access(let path):
            guard let events else { return nil }
            return AccessFollower(
                path, events: events, clock: surroundings.clock,
                isOwn: { surroundings.isAtWork(key.app) }, changed: changed)
        }
    }
}
