import RealModule

/// Goes from step to step of a plan and looks up what each is told.
struct Walk {
    private let past: Past
    private let likeDays: LikeDays
    private let habits: Habits
    private let gaps: Gaps
    private let echo: Echo
    private let today: LocalClock
    private let exposure: (day10: Float, day20: Float, day40: Float, day80: Float)
    /// Up to each slot, the share of a day's sessions.
    private let passedWorkday: [Float]
    private let passedWeekend: [Float]
    /// Sessions that were to be expected since the last one.
    private var expected: Float = 0

    init(past: Past, likeDays: LikeDays) {
        self.past = past
        self.likeDays = likeDays
        habits = Habits(past)
        gaps = Gaps(past)
        echo = Echo(past)
        today = past.clocks[past.count - 1]
        exposure = (
            past.exposure(halfLife: 10), past.exposure(halfLife: 20), past.exposure(halfLife: 40),
            past.exposure(halfLife: 80)
        )
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

    /// A place between the middles of two slots.
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

    mutating func append(elapsed: Int, middle: Int, clock: LocalClock, to steps: inout [Float]) {
        let place = Place(clock.second)
        let rates = rates(place, clock)
        expected += 0.5 * rates.mixed
        let days = clock.day - today.day
        let isToday = days == 0
        let angle = Float(clock.second) / 86400 * 2 * .pi
        let sine = Float.sin(angle)
        let cosine = Float.cos(angle)

        let step = elapsed / 900
        let bin = Gaps.binOfStep[min(step, Gaps.binOfStep.count - 1)]
        let likeGap = gaps.afterLikeGap[bin]
        let likeTime =
            step < Gaps.reach
            ? (gaps.ends[step] + 0.6 * likeGap) / (gaps.lasting[step] + 0.6) : likeGap
        let slot = days * LocalClock.slots + clock.slot
        let likeDay =
            slot >= 0 && slot < likeDays.later.count
            ? (likeDays.later[slot] + 0.7 * rates.mixed) / (likeDays.weight + 0.7) : rates.mixed

        let weekday = clock.weekday
        let ofWeek = (weekday * 86400 + clock.second + 604_800 - 450) % 604_800 / 900
        let nextOfWeek = (ofWeek + 1) % (7 * LocalClock.slots)
        func weekly(_ table: [Float]) -> Float {
            table[ofWeek] * (1 - place.share) + table[nextOfWeek] * place.share
        }
        let log = Features.logarithm
        steps += [
            Float.log(Float(elapsed) + 900), sine, cosine, 2 * sine * cosine, cosine * cosine - sine * sine,
            clock.isWeekend ? 1 : 0, isToday ? 1 : 0, Float(min(max(days, 0), 7)),
            isToday ? Float(likeDays.sessionsToday) : 0,
            isToday ? Float(clock.second - likeDays.firstToday) / 3600 : -1,
        ]
        steps += [
            log(place.value(habits.recent) / exposure.day10), log(rates.daily), log(rates.sort),
            log(weekly(habits.weekly) / exposure.day80 * 7), log(place.value(habits.first) / exposure.day80),
            log(likeTime), log(gaps.any[bin]), log(likeDay),
            log(habits.activeDays[weekday] / exposure.day80 * 7),
            clock.isWeekend ? passedWeekend[clock.slot] : passedWorkday[clock.slot],
            Float.log(expected + 0.02),
        ]
        steps += [
            echo.count(from: middle - 4 * 3600, to: middle), echo.count(from: middle - 86400, to: middle),
            Float.log(echo.count(from: middle - 604_800, to: middle) + 1),
            echo.near(middle - 86400), echo.near(middle - 2 * 86400), echo.near(middle - 604_800),
            echo.near(middle - 2 * 604_800), echo.near(middle - 3 * 604_800),
            log(weekly(habits.weeklyLately) / exposure.day20 * 7), log(rates.sortLately), log(likeGap),
            Float.log(likeDays.weight + 0.05),
        ]
        expected += 0.5 * rates.mixed
    }
}
