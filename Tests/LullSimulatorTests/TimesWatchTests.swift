import LullCalendar
import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

/// A time of `at` that is lost, or launched twice, is a fault of the host.
struct TimesWatchTests {
    private static let start = WallTime(seconds: 1_772_409_600)
    private let task: TaskDefinition

    init() throws {
        let app = try #require(AppIdentifier("com.example.Backup"))
        let name = try #require(TaskIdentifier("com.example.Backup.nightly"))
        var task = TaskDefinition(identifier: name, app: app, kind: .processing)
        task.at = try ExactTimes("0 * * * *")
        self.task = task
    }

    private func hour(_ hour: Int) -> WallTime { Self.start + .hours(hour) }

    private func watch(_ missed: MissedTimes = .one, at hour: Int = 0) -> TimesWatch {
        var watch = TimesWatch(host: "")
        begin(&watch, missed, at: hour)
        return watch
    }

    private func begin(_ watch: inout TimesWatch, _ missed: MissedTimes = .one, at hour: Int) {
        var task = task
        task.missed = missed
        var app = App(identifier: task.app, plugin: "/p.so")
        app.tasks = [task]
        let clock = VirtualClock(start: Self.start + .hours(hour))
        watch.begin(
            Frame(
                now: Now(wall: clock.wall, monotonic: clock.monotonic), clock: clock,
                conditions: Conditions(),
                manifest: Manifest(apps: [app]), about: .init()))
    }

    private func event(_ name: HistoryEvent.Name, _ hour: Int?, times: Int = 1) -> HistoryEvent {
        var event = HistoryEvent(name, at: Self.start, app: task.app, task: task.identifier)
        event.origin = .at
        event.occurrence = Occurrence(time: hour.map(self.hour), times: times)
        return event
    }

    private func request(_ hour: Int) -> TaskRequest {
        TaskRequest(
            id: RequestID(1), task: task.identifier, app: task.app, kind: .processing, origin: .at,
            submitted: Self.start, earliestBegin: self.hour(hour),
            occurrence: Occurrence(time: self.hour(hour)))
    }

    @Test func `a time that is launched, and asked for next, is none`() {
        var watch = watch(at: 0)
        #expect(watch.note(event(.submitted, 1), ending: nil) == nil)
        begin(&watch, at: 1)
        #expect(watch.note(event(.launched, 1), ending: request(1)) == nil)
        #expect(watch.note(event(.submitted, 2), ending: nil) == nil)
        #expect(watch.check([request(2)]) == [])
    }

    @Test func `a time that nobody asks for is lost`() {
        var watch = watch(at: 0)
        _ = watch.note(event(.submitted, 1), ending: nil)
        #expect(watch.check([]) == ["\(task.identifier) has times, and nobody asks for the next"])
        #expect(watch.check([request(2)]).count == 1)
        begin(&watch, at: 1)
        _ = watch.note(event(.launched, 1), ending: request(1))
        #expect(watch.note(event(.submitted, 3), ending: nil)?.contains("2 times to account for") == true)
    }

    @Test func `a launch says for how many times it stands`() {
        for (last, times, isRight) in [(3, 3, true), (3, 1, false), (1, 1, false), (3, 5, false)] {
            var watch = watch(at: 0)
            _ = watch.note(event(.submitted, 1), ending: nil)
            begin(&watch, at: 3)
            let fault = watch.note(event(.launched, last, times: times), ending: request(1))
            #expect((fault == nil) == isRight, "\(fault ?? "")")
        }
        var silent = watch(at: 0)
        _ = silent.note(event(.submitted, 1), ending: nil)
        begin(&silent, at: 1)
        #expect(silent.note(event(.launched, nil), ending: request(1))?.contains("does not say so") == true)
    }

    @Test func `where each is made up for a launch stands for one`() {
        var watch = watch(.all)
        _ = watch.note(event(.submitted, 1), ending: nil)
        begin(&watch, .all, at: 3)
        #expect(
            watch.note(event(.launched, 3, times: 3), ending: request(1))?.contains("stands for 3 times")
                == true)
    }

    @Test func `only what is late and to be skipped is given up`() {
        var kept = watch(.one)
        _ = kept.note(event(.submitted, 1), ending: nil)
        begin(&kept, .one, at: 3)
        #expect(kept.note(event(.givenUp, 1), ending: request(1))?.contains("is to be made up for") == true)
        var early = watch(.skip)
        _ = early.note(event(.submitted, 1), ending: nil)
        begin(&early, .skip, at: 1)
        #expect(early.note(event(.givenUp, 1), ending: request(1))?.contains("is not late") == true)
        begin(&early, .skip, at: 3)
        #expect(early.note(event(.givenUp, 2, times: 2), ending: request(1)) == nil)
    }
}
