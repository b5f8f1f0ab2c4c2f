import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

@Suite struct AgendaTests {
    private func time(_ seconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func `what is due comes in order of time and then of entry`() {
        var agenda = Agenda()
        agenda.add(.withdrawn(Token(1), isLate: false), at: time(2))
        agenda.add(.withdrawn(Token(2), isLate: false), at: time(1))
        agenda.add(.withdrawn(Token(3), isLate: false), at: time(2))
        #expect(agenda.nextTime == time(1))
        #expect(agenda.removeFirst(upTo: time(0)) == nil)
        #expect(agenda.removeFirst(upTo: time(2)) == .withdrawn(Token(2), isLate: false))
        #expect(agenda.removeFirst(upTo: time(2)) == .withdrawn(Token(1), isLate: false))
        #expect(agenda.removeFirst(upTo: time(2)) == .withdrawn(Token(3), isLate: false))
        #expect(agenda.nextTime == nil)
    }
}
