import HeapModule
import LullModel

/// The scheduler's cost of one event, by the number of pending requests, which should not matter.
struct DecisionBenchmark {
    private static let sizes = [100, 10_000, 1_000_000]
    private static let rounds = 11
    private static let eventsPerRound = 400

    private enum Figure: String, CaseIterable {
        case wakeForNothing = "`wake`, nothing due"
        case wakeForOne = "`wake`, one due, to its launch in a new worker"
        case submitted = "`submitted`"
        case completed = "`completed`, to the next launch in a new worker"
        case conditionsChanged = "`conditionsChanged`, of no concern"
    }

    func rows() throws -> [Row] {
        var figures: [Figure: [Sample]] = [:]
        var heaps: [Sample] = []
        for size in Self.sizes {
            Progress.say("  \(Figures.grouped(size)) pending …")
            heaps.append(Self.heap(of: size))
            for (figure, sample) in try Self.measure(pending: size) {
                figures[figure, default: []].append(sample)
            }
        }
        var rows: [Row] = []
        for figure in Figure.allCases {
            guard let samples = figures[figure] else { continue }
            for (place, size) in Self.sizes.enumerated() {
                let name = "\(figure.rawValue), \(Figures.grouped(size)) pending"
                rows.append(
                    place == 0
                        ? Row(
                            name, samples[0], against: ("a `Heap` of \(size), one out and one in", heaps[0]))
                        : Row(name, samples[place], against: ("at \(Self.sizes[0])", samples[0]), aim: "flat")
                )
            }
        }
        for (place, size) in Self.sizes.enumerated().dropFirst() {
            rows.append(
                Row(
                    "for scale: a `Heap` of \(Figures.grouped(size)), one out and one in", heaps[place],
                    against: ("at \(Self.sizes[0])", heaps[0])))
        }
        return rows
    }

    private static func measure(pending: Int) throws -> [Figure: Sample] {
        var samples: [Figure: Sample] = [:]
        var waiting = try DecisionWorld(pending: pending, areDue: false)
        samples[.wakeForNothing] = mean { waiting.wakeForNothing() }
        samples[.conditionsChanged] = mean { waiting.senseForNothing() }
        var submits: [Double] = []
        samples[.wakeForOne] = try mean {
            let (wake, submit) = try waiting.wakeForOne()
            submits.append(submit)
            return wake
        }
        samples[.submitted] = Sample(
            stride(from: eventsPerRound, to: submits.count, by: eventsPerRound).map { start in
                submits[start..<start + eventsPerRound].reduce(0, +) / Double(eventsPerRound)
            })
        var due = try DecisionWorld(pending: pending, areDue: true)
        samples[.completed] = try mean { try due.completeOne() }
        return samples
    }

    /// Takes the mean of each round, so that costs that occur only now and then are included.
    private static func mean(_ event: () throws -> Double) rethrows -> Sample {
        try Sample.of(rounds) {
            var sum = 0.0
            for _ in 0..<eventsPerRound { sum += try event() }
            return sum / Double(eventsPerRound)
        }
    }

    /// The least cost of any queue with as many times.
    private static func heap(of count: Int) -> Sample {
        struct Entry: Comparable {
            let time: Int64
            let number: Int
            static func < (a: Self, b: Self) -> Bool { a.time < b.time }
        }
        var heap = Heap((0..<count).map { Entry(time: Int64($0) * 1000, number: $0) })
        var next = Int64(count) * 1000
        return mean {
            Stopwatch.time {
                guard let first = heap.popMin() else { return }
                next += 1000
                heap.insert(Entry(time: next, number: first.number))
            }
        }
    }
}
