/// A fixed interval, as cron has it: each app at its own phase, as long as it is live.
public struct BacktestInterval: Sendable {
    let apps: [BacktestApp]

    public init(_ apps: [BacktestApp]) { self.apps = apps }

    /// The result of so many launches a live day.
    public func at(_ launchesPerAppDay: Double) -> BacktestCurve.Point {
        guard launchesPerAppDay > 0 else {
            return BacktestCurve.Point(BacktestScore(apps, launches: apps.map { _ in [] }))
        }
        // The launches come out a little beside the budget, so the value is read between neighbours.
        let half = (launchesPerAppDay * 2).rounded(.down)
        let around = (-1...2).map { (half + Double($0)) / 2 }.filter { $0 > 0 && $0 <= 24 }
        return BacktestCurve((around + [launchesPerAppDay]).sorted().map { .init(score(budget: $0)) })
            .at(launchesPerAppDay)
    }

    public func score(budget: Double) -> BacktestScore {
        BacktestScore(apps, launches: apps.map { launches(of: $0, budget: budget) }, checksRules: false)
    }

    func launches(of app: BacktestApp, budget: Double) -> [Double] {
        let step = Double(BacktestApp.day) / budget
        let phase = Double(CRC32.of(app.name.utf8)) / 4_294_967_296 * step
        let first = (Double(app.from - BacktestScore.ageLimit) / step).rounded(.up)
        let end = (Double(app.to) / step).rounded(.down)
        guard first < end else { return [] }
        var place = 0
        return (0..<Int(end - first)).compactMap { number in
            let time = (first + Double(number)) * step + phase
            while place < app.uses.count, Double(app.uses[place]) < time { place += 1 }
            guard place > 0, time - Double(app.uses[place - 1]) <= Double(app.idleAfter) else {
                return nil
            }
            return time
        }
    }
}

/// The checksum of ISO 3309: the phase of an app, the same on every machine.
enum CRC32 {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}
