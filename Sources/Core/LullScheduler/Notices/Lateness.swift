import LullModel
import RealModule

/// By when a launch is to be expected: a high quantile of when it comes, so high that it is seldom exceeded by chance.
///
/// Of futures drawn as `lull why` draws them the latest tenth and hundredth are known; beyond those the tail is taken
/// to go on as between the two, as that of a thing with a constant hazard does. How far out is worked out from how
/// often the task comes round: of all its requests in a month, one in a hundred months may be called late wrongly.
enum Lateness {
    /// Of a task in a month.
    static let falseAlarms = 0.01
    /// What is drawn: enough for a hundredth.
    static let futures = 400
    /// The world is not quite what it was learned to be.
    static let doubt = 1.5
    static let slack: Duration = .minutes(15)
    /// Where too little is known of the conditions: they are known after this time.
    static let untold: Duration = .days(7)
    /// How far ahead launches are drawn.
    static let horizon: Duration = .days(30)

    /// `launches`: in ascending order, of `count` futures; nil: it may well not come at all.
    static func expectedBy(
        launches: [WallTime], of count: Int, due: WallTime, longestWait: Duration, repeat gap: Duration?
    ) -> WallTime? {
        func quantile(_ share: Double) -> WallTime? {
            let rank = Int((Double(count) * share).rounded(.up))
            return rank > 0 && rank <= launches.count ? launches[rank - 1] : nil
        }
        guard let most = quantile(0.9), let half = quantile(0.5) else { return nil }
        // A task that comes round more often has more chances to be late.
        let rounds = gap.map { max(1, Duration.days(30).inSeconds / max(1, $0.inSeconds)) } ?? 30
        let wanted = falseAlarms / rounds
        let latest: WallTime
        if let nearly = quantile(0.99) {
            latest = nearly + (nearly - most) * Double.log10(0.01 / wanted)
        } else {
            latest = most + (most - half) * (Double.log10(0.1 / wanted) / Double.log10(5))
        }
        let wait = max((latest - due) * doubt, longestWait * doubt)
        return due + max(.zero, wait) + slack
    }
}
