import LullModel
import Testing

@testable import LullFleet

struct FleetUsesTests {
    final class Host {
        let fleet: FakeFleet
        var found: [FleetUse] = []
        private var made: FleetUses?

        init(_ place: String, _ fleet: FakeFleet) {
            self.fleet = fleet
            made = FleetUses(
                place: place, clock: { fleet.clock }, wall: { FleetUsesTests.now },
                call: { fleet.call($0, $1, $2) }, found: { [unowned self] in found += $0 })
        }

        var uses: FleetUses {
            guard let made else { preconditionFailure("A host has uses.") }
            return made
        }
    }

    static let now = WallTime(seconds: 1_800_000_000)
    static let feed = AppIdentifier("com.example.Feed") ?? .host
    static let mail = AppIdentifier("com.example.Mail") ?? .host

    private func time(_ minutesAgo: Int) -> WallTime { Self.now - .minutes(minutesAgo) }

    @Test func `a use on one host is a use on the others, once`() {
        let fleet = FakeFleet()
        let (a, b) = (Host("a", fleet), Host("b", fleet))
        for host in [a, b] {
            host.uses.follow([Self.feed], history: [:])
            host.uses.connected()
        }
        a.uses.used(Self.feed, at: time(3))
        a.uses.used(Self.feed, at: time(2))
        a.uses.used(Self.mail, at: time(2))
        for _ in 0..<5 {
            fleet.clock = fleet.clock + .seconds(70)
            for host in [a, b] { host.uses.beat() }
        }
        #expect(b.found == [time(3), time(2)].map { FleetUse(app: Self.feed, time: $0) })
        #expect(a.found.isEmpty && fleet.uses.count == 2)
    }

    @Test func `what came from another host is not sent as one's own, nor told after a restart`() {
        let fleet = FakeFleet()
        let a = Host("a", fleet)
        a.uses.follow([Self.feed], history: [Self.feed: [time(9), time(8)]])
        a.uses.connected()
        let b = Host("b", fleet)
        b.uses.follow([Self.feed], history: [:])
        b.uses.connected()
        #expect(b.found.map(\.time) == [time(9), time(8)])
        // The host records these uses, and reports them like any use.
        for use in b.found { b.uses.used(use.app, at: use.time) }
        let again = Host("b", fleet)
        again.uses.follow([Self.feed], history: [Self.feed: b.found.map(\.time)])
        again.uses.connected()
        #expect(again.found.isEmpty)
        #expect(fleet.uses.count == 2 && fleet.uses.allSatisfy { $0.place == "a" })
    }

    @Test func `an app that is shared later learns what was before`() {
        let fleet = FakeFleet()
        let (a, b) = (Host("a", fleet), Host("b", fleet))
        a.uses.follow([Self.feed, Self.mail], history: [Self.mail: [time(50)], Self.feed: [time(40)]])
        a.uses.connected()
        b.uses.follow([Self.feed], history: [:])
        b.uses.connected()
        #expect(b.found.map(\.app) == [Self.feed])
        #expect(b.uses.unfollowed(among: [Self.feed, Self.mail]) == [Self.mail])
        b.uses.follow([Self.feed, Self.mail], history: [:])
        b.uses.beat()
        #expect(b.found.map(\.app) == [Self.feed, Self.mail])
    }

    @Test func `many uses go in pages and none is left`() {
        let fleet = FakeFleet()
        let (a, b) = (Host("a", fleet), Host("b", fleet))
        a.uses.follow([Self.feed], history: [Self.feed: (1...1800).map(time)])
        fleet.fates = [.well, .lost]
        a.uses.connected()
        // The second answer was lost; its uses are sent again on the next connection.
        #expect(fleet.uses.count == 1000)
        a.uses.disconnected()
        a.uses.connected()
        #expect(fleet.uses.count == 1800)
        b.uses.follow([Self.feed], history: [:])
        b.uses.connected()
        #expect(b.found.count == 1800 && Set(b.found).count == 1800)
    }

    @Test func `with nothing to send others are asked for once a minute, and without shared apps never`() {
        let fleet = FakeFleet()
        let (a, b) = (Host("a", fleet), Host("b", fleet))
        a.uses.follow([Self.feed], history: [:])
        for host in [a, b] { host.uses.connected() }
        for _ in 0..<16 {
            fleet.clock = fleet.clock + .seconds(15)
            for host in [a, b] { host.uses.beat() }
        }
        #expect(fleet.calls.count == 5 && fleet.calls.allSatisfy { $0.place == "a" })
    }

    @Test func `uses from before any forecast's memory and from a wrong clock are no news`() {
        let fleet = FakeFleet()
        let a = Host("a", fleet)
        a.uses.follow([Self.feed], history: [Self.feed: [Self.now - .days(36), Self.now + .days(3)]])
        a.uses.connected()
        #expect(fleet.uses.map(\.use.time) == [Self.now + .days(3)])
        let b = Host("b", fleet)
        b.uses.follow([Self.feed], history: [:])
        b.uses.connected()
        #expect(b.found.isEmpty)
    }
}
