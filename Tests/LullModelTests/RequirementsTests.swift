import LullModel
import Testing

struct RequirementsTests {
    @Test func `a request's requirements and the manifest's add up to the stricter`() {
        let manifest = Requirements(network: .any, batteryAbove: 0.2, loadBelow: 1, diskFree: 10)
        let request = Requirements(
            network: .unmetered, externalPower: true, batteryAbove: 0.1, idle: true, loadBelow: 2)
        let sum = manifest.adding(request)
        #expect(
            sum
                == Requirements(
                    network: .unmetered, externalPower: true, batteryAbove: 0.2, idle: true, loadBelow: 1,
                    diskFree: 10))
        #expect(request.adding(manifest) == sum)
    }

    @Test func `nothing required adds nothing`() {
        let some = Requirements(network: .any, idle: false)
        #expect(some.adding(.none) == some)
        #expect(Requirements.none.adding(some) == some)
    }

    @Test func `the manifest's kind is a ceiling`() {
        #expect(Kind.refresh.isPermitted(under: .processing))
        #expect(Kind.processing.isPermitted(under: .processing))
        #expect(!Kind.processing.isPermitted(under: .refresh))
        #expect(!Kind.continued.isPermitted(under: .processing))
    }

    @Test func `a refresh's starvation bound never turns its forecast into an interval`() throws {
        let app = try #require(AppIdentifier("com.example.App"))
        let id = try #require(TaskIdentifier("refresh", of: app))
        var refresh = TaskDefinition(identifier: id, app: app, kind: .refresh)
        refresh.repeat = .minutes(15)
        #expect(refresh.starvationBound == .days(2))
        var processing = TaskDefinition(identifier: id, app: app, kind: .processing)
        processing.repeat = .days(7)
        #expect(processing.starvationBound == .days(14))
        processing.latest = .hours(1)
        #expect(processing.starvationBound == .hours(1))
    }
}
