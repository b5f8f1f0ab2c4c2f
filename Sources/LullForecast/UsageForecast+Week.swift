extension UsageForecast {
    /// The decayed number of uses, seen from the latest; uses within half an hour of each other are one.
    public var evidence: Double {
        guard let lastDay = raster.lastDay else { return 0 }
        var sum = 0.0
        raster.forEachStart { sum += Decay.weight(age: lastDay - $0 / UsageRaster.slotsPerDay) }
        return sum
    }

    /// Expected uses in each hour of the week, Monday's first hour first, seen from the day after the latest use.
    public func hourOfWeek() -> [Double] {
        let profile = weekProfile(seenFrom: (raster.lastDay ?? 0) + 1)
        return (0..<168).map { hour in profile[hour * 4..<hour * 4 + 4].reduce(0, +) }
    }

    /// Expected beginnings of a use in each quarter-hour of the week, from what was seen before `today`.
    private func weekProfile(seenFrom today: Int) -> [Double] {
        let slotsPerDay = UsageRaster.slotsPerDay
        let prior = Self.priorUsesPerDay / Double(slotsPerDay)
        guard let firstDay = raster.firstDay else {
            return Array(repeating: prior, count: UsageRaster.slotsPerWeek)
        }
        // By day of the week and time of day.
        var weekday = [Double](repeating: 0, count: UsageRaster.slotsPerWeek)
        raster.forEachStart { start in
            let day = start.dividedDown(by: slotsPerDay)
            guard day < today else { return }
            weekday[start - start.dividedDown(by: weekday.count) * weekday.count] += Decay.weight(
                age: today - day)
        }
        weekday = Self.smooth(weekday)
        let exposures = (0..<7).map { weekday in
            let ahead = (weekday - today) - (weekday - today).dividedDown(by: 7) * 7
            return Exposure(of: today + ahead, lead: 1 + ahead, firstDay: firstDay)
        }
        return weekday.indices.map { slot in
            let day = slot / slotsPerDay
            var hits = Hits()
            for other in 0..<7 {
                hits.add(
                    weekday[other * slotsPerDay + slot % slotsPerDay],
                    isSameSort: isWeekend(other) == isWeekend(day), isSameWeekday: other == day)
            }
            return Self.mix(hits, over: exposures[day], prior: prior)
        }
    }

    /// Blurs a week with the kernel, its end leading into its beginning.
    private static func smooth(_ week: [Double]) -> [Double] {
        var smooth = [Double](repeating: 0, count: week.count)
        for (slot, weight) in week.enumerated() where weight > 0 {
            for (index, share) in kernel.enumerated() {
                smooth[(slot + index - reach + week.count) % week.count] += share * weight
            }
        }
        return smooth
    }
}

extension UsageRaster {
    /// The slots that begin a use: no use in the two before.
    func forEachStart(_ body: (_ slot: Int) -> Void) {
        var previous = Int.min
        for (index, word) in words.enumerated() where word != 0 {
            let first = weeks[index / Self.wordsPerWeek] * Self.slotsPerWeek + index % Self.wordsPerWeek * 32
            var left = word
            while left != 0 {
                let slot = first + left.trailingZeroBitCount
                if previous < slot - 2 { body(slot) }
                previous = slot
                left &= left - 1
            }
        }
    }
}
