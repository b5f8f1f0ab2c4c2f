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

    @Test func `2.2: what is pending comes back as equal requests of the same class`() async throws {
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

    @Test func `2.2: cancelling names one request or all`() {
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

    @Test func `2.2: a permitted task without a handler is reported with the place of its submit`() throws {
        let line: UInt = #line + 1
        try? fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        let fault = try #require(fixture.host.faults.first)
        #expect(fault.fault == LULL_FAULT_NOT_REGISTERED && fault.subject == Fixture.refresh)
        #expect(fault.place == "BackgroundTasksTests/SubmissionTests.swift:\(line)")
        #expect(fault.earlierPlace == nil)
    }

    @Test func `2.2: with a handler nothing is reported`() throws {
        #expect(fixture.register { $0.setTaskCompleted(success: true) })
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        #expect(fixture.host.faults.isEmpty)
    }

    @Test func `2.2: a task that is not permitted is refused with code 3 and no fault`() throws {
        fixture.host.verdict(LULL_NOT_PERMITTED)
        #expect(throws: BGTaskScheduler.Error(.notPermitted, identifier: "com.example.Other")) {
            try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: "com.example.Other"))
        }
        #expect(fixture.host.faults.isEmpty)
    }

    @Test func `2.2: cancelling leaves a run that has begun alone`() async throws {
        let task = try await fixture.runningTask()
        fixture.scheduler.cancel(taskRequestWithIdentifier: Fixture.refresh)
        #expect(fixture.host.completed.isEmpty)
        task.setTaskCompleted(success: true)
        #expect(fixture.host.completed == [.init(task: 1, success: true)])
    }

    @Test func `2.4: a continued request says all that it asks for`() async throws {
        let request = BGContinuedProcessingTaskRequest(
            identifier: "com.example.Feed.export.42", title: "Exporting", subtitle: "42 pictures")
        #expect(request.strategy == .queue && request.requiredResources == [])
        try fixture.scheduler.submit(request)
        request.strategy = .fail
        request.requiredResources = .gpu
        try fixture.scheduler.submit(request)
        #expect(fixture.host.submitted.map(\.kind) == [3, 3])
        #expect(fixture.host.submitted.map(\.strategy) == [0, 1])
        #expect(fixture.host.submitted.map(\.resources) == [0, 1])
        #expect(fixture.host.submitted.last?.title == "Exporting")
        #expect(fixture.host.submitted.last?.subtitle == "42 pictures")

        let pending = await fixture.scheduler.pendingTaskRequests()
        let copy = try #require(pending.last as? BGContinuedProcessingTaskRequest)
        #expect(copy.title == "Exporting" && copy.subtitle == "42 pictures")
        #expect(copy.strategy == .fail && copy.requiredResources == .gpu)
        #expect((copy.copy() as? BGContinuedProcessingTaskRequest)?.strategy == .fail)
    }

    @Test func `a request for health research says what protection its data has`() async throws {
        let request = BGHealthResearchTaskRequest(identifier: Fixture.cleaning)
        #expect("\(request.protectionTypeOfRequiredData)" == Self.unlocked)
        request.requiresExternalPower = true
        try fixture.scheduler.submit(request)
        request.protectionTypeOfRequiredData = NSString(string: FileProtectionType.complete.rawValue)
        try fixture.scheduler.submit(request)
        #expect(fixture.host.submitted.map(\.protection) == [Self.unlocked, "NSFileProtectionComplete"])
        #expect(fixture.host.submitted.map(\.kind) == [2, 2])
        let pending = await fixture.scheduler.pendingTaskRequests()
        let copy = try #require(pending.first as? BGHealthResearchTaskRequest)
        #expect(copy.requiresExternalPower && "\(copy.protectionTypeOfRequiredData)" == Self.unlocked)
    }

    private static let unlocked = "NSFileProtectionCompleteUntilFirstUserAuthentication"

    @Test func `without a worker a request is not accepted`() {
        #expect(throws: BGTaskScheduler.Error.self) {
            try BGTaskScheduler(host: nil).submit(BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        }
    }
}
