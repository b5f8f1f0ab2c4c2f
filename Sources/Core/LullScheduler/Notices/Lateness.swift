import LullModel
import RealModule

/// By when a launch is to be expected: a high quantile of when it comes, so high that it is seldom exceeded by chance.
///
/// The latest tenth and hundredth of the launches are known from futures drawn as in `lull why`. Beyond those the tail
/// is extrapolated from the two, as for a constant hazard. How far depends on how often the task repeats: for all its
/// requests together, one month in a hundred may have a false alarm.
enum Lateness {
    /// False alarms of a task in a month.
    static let falseAlarms = 0.01
    /// How many futures are drawn: enough for a hundredth.
    static let futures = 400
    /// The factor by which a wait may exceed what was learned.
    static let doubt = 1.5
    static let slack: Duration = .minutes(15)
    /// The wait that is assumed where too little is known of the conditions: they are known after this time.
    static let untold: Duration = .days(7)
    /// How far ahead launches are drawn.
    static let horizon: Duration = .days(30)

    /// `launches`: in ascending order, of `count` futures; nil: it may never be launched.
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
