import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

@Suite struct SubmissionTests {
    let fixture = Fixture()

    @Test func `a refresh request says its identifier and its date`() throws {
        let request = BGAppRefreshTaskRequest(identifier: Fixture.refresh)
        request.earliestBeginDate = Date(timeIntervalSince1970: 1_800_000_000.5)
        try fixture.scheduler.submit(request)
        let expected = FakeHost.Request(
            kind: lull_kind(LULL_KIND_REFRESH), identifier: Fixture.refresh,
            earliestBegin: 1_800_000_000_500_000_000
        )
        #expect(fixture.host.submitted == [expected])
    }

    @Test(arguments: [(false, false, 0), (true, false, 1), (false, true, 2), (true, true, 3)])
    func `a processing request says what it requires`(network: Bool, power: Bool, bits: UInt32) throws {
        let request = BGProcessingTaskRequest(identifier: Fixture.cleaning)
        #expect(!request.requiresNetworkConnectivity && !request.requiresExternalPower)
        request.requiresNetworkConnectivity = network
        request.requiresExternalPower = power
        try fixture.scheduler.submit(request)
        let expected = FakeHost.Request(
            kind: lull_kind(LULL_KIND_PROCESSING), identifier: Fixture.cleaning, requirements: bits
        )
        #expect(fixture.host.submitted == [expected])
    }

    @Test func `what is pending comes back as equal requests of the same class`() async throws {
        let refresh = BGAppRefreshTaskRequest(identifier: Fixture.refresh)
        refresh.earliestBeginDate = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
        let cleaning = BGProcessingTaskRequest(identifier: Fixture.cleaning)
        cleaning.requiresExternalPower = true
        try fixture.scheduler.submit(refresh)
        try fixture.scheduler.submit(cleaning)

        let pending = await fixture.scheduler.pendingTaskRequests()
        try #require(pending.count == 2)
        #expect(pending[0] is BGAppRefreshTaskRequest)
        #expect(pending[0].earliestBeginDate == refresh.earliestBeginDate)
        let copy = try #require(pending[1] as? BGProcessingTaskRequest)
        #expect(copy.requiresExternalPower && !copy.requiresNetworkConnectivity)
        #expect(copy.earliestBeginDate == nil)
    }

    @Test func `the pending requests also come to a completion handler`() async throws {
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        let found = Left<[String]>()
        fixture.scheduler.getPendingTaskRequests { found.leave($0.map(\.identifier)) }
        #expect(try await found.next() == [Fixture.refresh])
    }

    @Test func `a request is taken as it was when it was submitted`() async throws {
        let request = BGProcessingTaskRequest(identifier: Fixture.cleaning)
        let answered = Left<Bool>()
        fixture.scheduler.submitTaskRequest(request) { answered.leave($0 == nil) }
        request.requiresExternalPower = true
        #expect(try await answered.next())
        #expect(fixture.host.submitted.map(\.requirements) == [0])
    }

    @MainActor @Test func `the async form submits from an actor`() async throws {
        let request = BGAppRefreshTaskRequest(identifier: Fixture.refresh)
        try await fixture.scheduler.submitTaskRequest(request)
        #expect(fixture.host.submitted.map(\.identifier) == [request.identifier])
    }

    @Test func `the async form throws what the host refused`() async throws {
        fixture.host.verdict(LULL_TOO_MANY_PENDING)
        await #expect(throws: BGTaskScheduler.Error(.tooManyPendingTaskRequests, identifier: Fixture.refresh))
        {
            try await fixture.scheduler.submitTaskRequest(
                BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        }
    }

    @Test func `cancelling names one request or all`() {
        fixture.scheduler.cancel(taskRequestWithIdentifier: Fixture.refresh)
        fixture.scheduler.cancelAllTaskRequests()
        #expect(fixture.host.record.withLock(\.cancelled) == [Fixture.refresh, nil])
    }

    @Test func `cancelling an identifier with a NUL does not cancel its beginning`() {
        fixture.scheduler.cancel(taskRequestWithIdentifier: Fixture.refresh + "\0x")
        #expect(fixture.host.record.withLock(\.cancelled).isEmpty)
    }

    @Test func `a copy is independent and of the same class`() throws {
        let request = BGProcessingTaskRequest(identifier: Fixture.cleaning)
        request.requiresNetworkConnectivity = true
        request.earliestBeginDate = .distantFuture
        let copy = try #require(request.copy() as? BGProcessingTaskRequest)
        request.requiresNetworkConnectivity = false
        #expect(copy.requiresNetworkConnectivity)
        #expect(copy.earliestBeginDate == .distantFuture)
    }

    @Test func `without a worker a request is not accepted`() {
        #expect(throws: BGTaskScheduler.Error.self) {
            try BGTaskScheduler(host: nil).submit(BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        }
    }
}
