import LullModel
import Testing

@testable import LullScheduler

struct LaunchTests {
    @Test func `a repeat is launched at first discovery and asked for again from its start on`() {
        var host = TestHost(Sample.simple { $0.repeat = .hours(4) })
        #expect(host.names() == [.discovered, .submitted, .launched, .submitted])
        #expect(host.running.count == 1)
        #expect(host.record(Sample.cleaning)?.pending?.earliestBegin == .at(0, 4))
        host.pass(.hours(24) - .milliseconds(1))
        #expect(host.launches(of: Sample.cleaning) == [0, 4, 8, 12, 16, 20].map { .at(0, $0) })
    }

    @Test func `the record of a launch stands before the launch`() {
        let host = TestHost(Sample.simple { $0.repeat = .hours(4) })
        let record = host.effects.firstIndex {
            if case .record(let event) = $0 { event.event == .launched } else { false }
        }
        let launch = host.effects.firstIndex { if case .launch = $0 { true } else { false } }
        #expect(record != nil && launch != nil)
        if let record, let launch { #expect(record < launch) }
    }

    @Test
    func
        `with weekday uses at half past eight the refresh runs in the hour before, and rarely at the weekend`()
    {
        var host = TestHost(
            Sample.manifest([Sample.definition(Sample.refresh, .refresh) { $0.repeat = .minutes(15) }]),
            at: .at(-28, 0))
        for day in -28..<0 where (day + 28) % 7 < 5 {
            host.pass(.at(day, 8, 30) - host.now.wall)
            host.handle(.used(Sample.feed, at: host.now.wall))
        }
        host.pass(.at(0, 0) - host.now.wall)
        host.records = []
        for day in 0..<7 {
            host.pass(.at(day, 8, 30) - host.now.wall)
            if day < 5 {
                host.handle(.used(Sample.feed, at: host.now.wall))
                #expect(
                    host.launches(of: Sample.refresh).contains {
                        $0 > .at(day, 7, 30) - .milliseconds(1) && $0 < .at(day, 8, 30)
                    })
            }
            host.pass(.at(day + 1, 0) - host.now.wall)
        }
        let all = host.launches(of: Sample.refresh)
        let weekend = all.count { $0 >= .at(5, 0) }
        #expect(weekend * 5 < all.count)
    }
}
