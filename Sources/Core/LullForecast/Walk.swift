import RealModule

/// Goes from step to step of a plan and looks up the features of each.
struct Walk {
    private let past: Past
    private let likeDays: LikeDays
    private let habits: Habits
    private let gaps: Gaps
    private let echo: Echo
    private let today: LocalClock
    private let exposure: (day10: Float, day20: Float, day40: Float, day80: Float)
    /// The share of a day's sessions up to each slot.
    private let passedWorkday: [Float]
    private let passedWeekend: [Float]
    /// Logarithms that many steps share: by the day of the week, and by the bin of the gap.
    private let logActiveDays: [Float]
    private let logAnyGap: [Float]
    private let logLikeGap: [Float]
    private let logLikeDays: Float
    /// The number of sessions that were expected since the last one.
    private var expected: Float = 0

    init(past: Past, likeDays: LikeDays) {
        self.past = past
        self.likeDays = likeDays
        habits = Habits(past)
        gaps = Gaps(past)
        echo = Echo(past)
        today = past.clocks[past.count - 1]
        let exposure = (
            day10: past.exposure(halfLife: 10), day20: past.exposure(halfLife: 20),
            day40: past.exposure(halfLife: 40), day80: past.exposure(halfLife: 80)
        )
        self.exposure = exposure
        logActiveDays = habits.activeDays.map { Features.logarithm($0 / exposure.day80 * 7) }
        logAnyGap = gaps.any.map(Features.logarithm)
        logLikeGap = gaps.afterLikeGap.map(Features.logarithm)
        logLikeDays = Float.log(likeDays.weight + 0.05)
        passedWorkday = Self.cumulative(habits.workday)
        passedWeekend = Self.cumulative(habits.weekend)
    }

    private static func cumulative(_ values: [Float]) -> [Float] {
        let total = values.reduce(0, +) + 0.01
        var sum: Float = 0
        return values.map { value in
            sum += value
            return sum / total
        }
    }

    /// A time between the middles of two slots, for interpolation.
    private struct Place {
        let low: Int
        let high: Int
        let share: Float

        init(_ second: Int) {
            let shifted = second + 86400 - 450
            low = shifted / 900 % LocalClock.slots
            high = (low + 1) % LocalClock.slots
            share = Float(shifted % 900) / 900
        }

        func value(_ table: [Float]) -> Float { table[low] * (1 - share) + table[high] * share }
    }

    private struct Rates {
        var sort: Float
        var sortLately: Float
        var daily: Float
        var mixed: Float
    }

    private func rates(_ place: Place, _ clock: LocalClock) -> Rates {
        let isWeekend = clock.isWeekend
        let part: Float = isWeekend ? 2.0 / 7 : 5.0 / 7
        let sort = place.value(isWeekend ? habits.weekend : habits.workday) / (exposure.day80 * part)
        let lately =
            place.value(isWeekend ? habits.weekendLately : habits.workdayLately) / (exposure.day20 * part)
        let daily = place.value(habits.daily) / exposure.day40
        let weeks = exposure.day80 / 7
        return Rates(
            sort: sort, sortLately: lately, daily: daily, mixed: (sort * weeks + 2 * daily) / (weeks + 2))
    }

    mutating func skip(middle: Int, clock: LocalClock) {
        expected += rates(Place(clock.second), clock).mixed
    }

    /// Appends the features of one step, `Features.stepCount` values.
    ///
    /// One by one: arrays would be allocated again for each of some hundred steps.
    mutating func append(
        elapsed: Int, middle: Int, quarters: Int, clock: LocalClock, to steps: inout OutputSpan<Float>
    ) {
        let place = Place(clock.second)
        let rates = rates(place, clock)
        let half = 0.5 * Float(quarters) * rates.mixed
        expected += half
        appendTime(elapsed: elapsed, clock, to: &steps)
        let bin = Gaps.binOfStep[min(elapsed / 900, Gaps.binOfStep.count - 1)]
        appendHabits(elapsed: elapsed, bin, clock, place, rates, to: &steps)
        appendEchoes(middle: middle, to: &steps)
        steps.append(log(weekly(habits.weeklyLately, clock, place) / exposure.day20 * 7))
        steps.append(log(rates.sortLately))
        steps.append(logLikeGap[bin])
        steps.append(logLikeDays)
        appendExact(clock, place, to: &steps)
        expected += half
    }

    private func appendTime(elapsed: Int, _ clock: LocalClock, to steps: inout OutputSpan<Float>) {
        let days = clock.day - today.day
        let isToday = days == 0
        let angle = Float(clock.second) / 86400 * 2 * .pi
        let sine = Float.sin(angle)
        let cosine = Float.cos(angle)
        steps.append(Float.log(Float(elapsed) + 900))
        steps.append(sine)
        steps.append(cosine)
        steps.append(2 * sine * cosine)
        steps.append(cosine * cosine - sine * sine)
        steps.append(clock.isWeekend ? 1 : 0)
        steps.append(isToday ? 1 : 0)
        steps.append(Float(min(max(days, 0), 7)))
        steps.append(isToday ? Float(likeDays.sessionsToday) : 0)
        steps.append(isToday ? Float(clock.second - likeDays.firstToday) / 3600 : -1)
    }

    private func appendHabits(
        elapsed: Int, _ bin: Int, _ clock: LocalClock, _ place: Place, _ rates: Rates,
        to steps: inout OutputSpan<Float>
    ) {
        let step = elapsed / 900
        let likeGap = gaps.afterLikeGap[bin]
        let likeTime =
            step < Gaps.reach
            ? (gaps.ends[step] + 0.6 * likeGap) / (gaps.lasting[step] + 0.6) : likeGap
        let slot = (clock.day - today.day) * LocalClock.slots + clock.slot
        let likeDay =
            slot >= 0 && slot < likeDays.later.count
            ? (likeDays.later[slot] + 0.7 * rates.mixed) / (likeDays.weight + 0.7) : rates.mixed
        steps.append(log(place.value(habits.recent) / exposure.day10))
        steps.append(log(rates.daily))
        steps.append(log(rates.sort))
        steps.append(log(weekly(habits.weekly, clock, place) / exposure.day80 * 7))
        steps.append(log(place.value(habits.first) / exposure.day80))
        steps.append(log(likeTime))
        steps.append(logAnyGap[bin])
        steps.append(log(likeDay))
        steps.append(logActiveDays[clock.weekday])
        steps.append(clock.isWeekend ? passedWeekend[clock.slot] : passedWorkday[clock.slot])
        steps.append(Float.log(expected + 0.02))
    }

    private func appendEchoes(middle: Int, to steps: inout OutputSpan<Float>) {
        steps.append(echo.count(from: middle - 4 * 3600, to: middle))
        steps.append(echo.count(from: middle - 86400, to: middle))
        steps.append(Float.log(echo.count(from: middle - 604_800, to: middle) + 1))
        steps.append(echo.near(middle - 86400))
        steps.append(echo.near(middle - 2 * 86400))
        steps.append(echo.near(middle - 604_800))
        steps.append(echo.near(middle - 2 * 604_800))
        steps.append(echo.near(middle - 3 * 604_800))
    }

    private func appendExact(_ clock: LocalClock, _ place: Place, to steps: inout OutputSpan<Float>) {
        let part: Float = clock.isWeekend ? 2.0 / 7 : 5.0 / 7
        let exact = place.value(clock.isWeekend ? habits.exactWeekend : habits.exactWorkday)
        steps.append(log(exact / (exposure.day80 * part)))
        steps.append(log(place.value(habits.exactLately) / exposure.day20))
        steps.append(log((clock.isWeekend ? habits.beginsWeekend : habits.beginsWorkday)[clock.slot]))
        steps.append(log((clock.isWeekend ? habits.beginsWorkday : habits.beginsWeekend)[clock.slot]))
    }

    /// The value at this time of the week, from a table by quarter-hours.
    private func weekly(_ table: [Float], _ clock: LocalClock, _ place: Place) -> Float {
        let slot = (clock.weekday * 86400 + clock.second + 604_800 - 450) % 604_800 / 900
        let next = (slot + 1) % (7 * LocalClock.slots)
        return table[slot] * (1 - place.share) + table[next] * place.share
    }

    private func log(_ value: Float) -> Float { Features.logarithm(value) }
}
