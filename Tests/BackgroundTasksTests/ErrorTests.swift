import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

/// The ways in which code for iOS inspects an error of `submit`: each has to compile here and to match.
@Suite struct ErrorTests {
    static let refusals: [(Int, BGTaskScheduler.Error.Code)] = [
        (LULL_UNAVAILABLE, .unavailable), (LULL_TOO_MANY_PENDING, .tooManyPendingTaskRequests),
        (LULL_NOT_PERMITTED, .notPermitted), (4, .immediateRunIneligible), (99, .unavailable),
        (-1, .unavailable),
    ]
    static let sentence = "The task com.example.Feed.refresh is not in jobs.yaml. Add it there."

    let fixture = Fixture()

    private func refusal(_ status: Int, _ reason: String = "") throws -> any Error {
        fixture.host.verdict(status, reason)
        do {
            try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        } catch {
            return error
        }
        throw CancellationError()
    }

    @Test(arguments: refusals)
    func `each status has its code`(status: Int, code: BGTaskScheduler.Error.Code) throws {
        let error = try refusal(status)
        #expect((error as? BGTaskScheduler.Error)?.code == code)
        #expect((error as? BGTaskScheduler.Error)?.errorCode == code.rawValue)
        #expect((error as NSError).code == code.rawValue)
        #expect((error as NSError).domain == BGTaskScheduler.errorDomain)
        #expect(BGTaskScheduler.Error.Code(rawValue: code.rawValue) == code)
    }

    @Test func `the domain is Apple's`() {
        #expect(BGTaskScheduler.errorDomain == "BGTaskSchedulerErrorDomain")
        #expect(BGTaskScheduler.Error.errorDomain == "BGTaskSchedulerErrorDomain")
    }

    @Test func `a code catches its error and no other`() throws {
        let error = try refusal(LULL_NOT_PERMITTED)
        do {
            throw error
        } catch BGTaskScheduler.Error.unavailable {
            Issue.record("caught as unavailable")
        } catch BGTaskScheduler.Error.notPermitted {
            return
        } catch {
            Issue.record("not caught")
        }
    }

    @Test func `a switch over an error finds its code`() throws {
        switch try refusal(LULL_TOO_MANY_PENDING) {
        case BGTaskScheduler.Error.unavailable: Issue.record("switched to unavailable")
        case BGTaskScheduler.Error.tooManyPendingTaskRequests: break
        default: Issue.record("switched to default")
        }
    }

    @Test func `a typed error can be caught and switched over`() throws {
        do {
            throw try refusal(LULL_UNAVAILABLE)
        } catch let error as BGTaskScheduler.Error {
            switch error.code {
            case .unavailable: break
            case .notPermitted, .tooManyPendingTaskRequests, .immediateRunIneligible:
                Issue.record("switched to \(error.code)")
            @unknown default: Issue.record("switched to default")
            }
        }
    }

    @Test func `the host's sentence is what an error says`() throws {
        let error = try refusal(LULL_NOT_PERMITTED, Self.sentence)
        #expect(error.localizedDescription == Self.sentence)
        #expect((error as NSError).localizedDescription == Self.sentence)
        #expect((error as NSError).userInfo[NSLocalizedFailureReasonErrorKey] as? String == Self.sentence)
        #expect("\(error)".contains(Self.sentence))
    }

    @Test(arguments: refusals)
    func `without a sentence from the host the code has its own`(
        status: Int, code: BGTaskScheduler.Error.Code
    ) throws {
        #expect(try refusal(status).localizedDescription.contains(Fixture.refresh))
    }

    @Test func `a very long sentence arrives cut off`() throws {
        let long = String(repeating: "ä", count: 5000)
        let description = try refusal(LULL_UNAVAILABLE, long).localizedDescription
        #expect(description.hasPrefix("ääää"))
        #expect(description.utf8.count <= 2050)
    }

    @Test func `an identifier with a NUL is not permitted`() {
        #expect(throws: BGTaskScheduler.Error(.notPermitted, identifier: "a\0b")) {
            try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: "a\0b"))
        }
        #expect(fixture.host.submitted.isEmpty)
    }
}
