import LullModel
import Testing

@testable import LullScheduler

/// Notifications that apps post: added, replaced, removed, and delivered once, when they are due.
struct NotificationTests {
    private static func manifest(_ change: (inout App) -> Void = { _ in }) -> Manifest {
        var manifest = Sample.simple()
        manifest.apps[0].idleAfter = nil
        manifest.apps[0].notifications = true
        change(&manifest.apps[0])
        return manifest
    }

    private func notification(
        _ identifier: String = "a", _ trigger: NotificationTrigger? = nil, title: String = "Title",
        badge: Int64? = nil
    ) -> AppNotification {
        AppNotification(
            identifier: identifier, text: NoticeText(title: title, body: title.isEmpty ? "" : "Body"),
            badge: badge, trigger: trigger)
    }

    private func acts(_ host: TestHost) -> [(WallTime, NotificationAct)] {
        host.records.compactMap { event in event.notification.map { (event.time, $0) } }
    }

    private func deliveries(_ host: TestHost) -> [WallTime] {
        acts(host).compactMap { time, act in if case .delivered = act { time } else { nil } }
    }

    private func add(_ host: inout TestHost, _ notification: AppNotification) -> Reply? {
        host.tell { .notificationAdded(Sample.feed, notification, reply: $0) }
    }

    private func refusal(_ reply: Reply?) -> Refusal? {
        if case .refused(let refusal)? = reply { refusal } else { nil }
    }

    private func told(_ host: TestHost) -> [Delivery] {
        host.effects.compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
    }

    @Test func `without a trigger it is delivered at once, to the desktop, in the app's own words`() {
        var host = TestHost(Self.manifest())
        #expect(add(&host, notification(badge: 3)) == .done(""))
        #expect(deliveries(host) == [.at(0, 0)])
        #expect(told(host).map(\.target) == [.desktop])
        #expect(told(host).first?.notice.said == NoticeText(title: "Title", body: "Body"))
        #expect(told(host).first?.notice.kind == .notification)
        let known = host.state.ledger.notifications.apps[Sample.feed]
        #expect(known?.pending == [] && known?.delivered.map(\.identifier) == ["a"] && known?.badge == 3)
    }

    @Test func `what it adds is durable before it is told so`() {
        var host = TestHost(Self.manifest())
        let effects = host.handle(
            .notificationAdded(
                Sample.feed, notification("a", .interval(milliseconds: 5000, repeats: false)),
                reply: Token(7)))
        guard case .record(let event)? = effects.first, case .added? = event.notification else {
            Issue.record("\(effects)")
            return
        }
        #expect(effects.dropFirst().contains(.reply(Token(7), .done(""))))
    }

    @Test func `an interval is counted from when it was added, to the moment`() {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification("a", .interval(milliseconds: 90_500, repeats: false)))
        #expect(host.armed.wall == .at(0, 0) + .milliseconds(90_500))
        host.pass(.hours(2))
        #expect(deliveries(host) == [.at(0, 0) + .milliseconds(90_500)])
        #expect(host.state.ledger.notifications.apps[Sample.feed]?.pending == [])
    }

    @Test func `one that repeats keeps its beat, and goes on until it is removed`() {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification("a", .interval(milliseconds: 60_000, repeats: true)))
        host.pass(.minutes(3))
        #expect(deliveries(host) == [.at(0, 0, 1), .at(0, 0, 2), .at(0, 0, 3)])
        _ = host.tell { .notificationsRemoved(Sample.feed, ["a"], delivered: false, reply: $0) }
        host.pass(.minutes(3))
        #expect(deliveries(host).count == 3)
    }

    @Test func `a date is local time, and follows the zone`() {
        let east = Zone(name: "East", initialOffset: 3600)
        var host = TestHost(Self.manifest(), zones: Zones(host: east))
        _ = add(&host, notification("a", .calendar(CalendarFields(hour: 8, minute: 30), repeats: true)))
        host.pass(.days(1))
        #expect(deliveries(host) == [.at(0, 7, 30)])
        host.now.zones = .utc
        host.handle(.wake)
        host.pass(.days(1))
        #expect(deliveries(host).last == .at(1, 8, 30))
    }

    @Test func `one under the same identifier replaces the one that waits`() {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification("a", .interval(milliseconds: 60_000, repeats: false), title: "Old"))
        _ = add(&host, notification("a", .interval(milliseconds: 120_000, repeats: false), title: "New"))
        host.pass(.minutes(10))
        #expect(deliveries(host) == [.at(0, 0, 2)])
        #expect(told(host).map(\.notice.said?.title) == ["New"])
    }

    @Test func `what was due while the host was off is told once it is back, once, and says so`() {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification("a", .interval(milliseconds: 60_000, repeats: true)))
        var ledger = Ledger()
        for event in host.records { ledger.apply(event, zones: .utc) }
        #expect(ledger == host.state.ledger)
        var later = TestHost(Self.manifest(), at: .at(0, 2, 0) + .seconds(30), ledger: ledger)
        #expect(deliveries(later) == [.at(0, 2, 0) + .seconds(30)])
        let reason = later.records.first { $0.notification != nil }?.reason
        #expect(
            reason == "late: it was due 00:01, when this host was off or its clock was different")
        // It is back in its own rhythm.
        later.pass(.minutes(1))
        #expect(deliveries(later).last == .at(0, 2, 1))
    }

    @Test func `a clock that is set back does not make it wait for ever`() {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification("a", .interval(milliseconds: 60_000, repeats: false)))
        host.now.wall = .at(-300, 0)
        host.handle(.wake)
        #expect(acts(host).last?.1 == .recounted(identifier: "a"))
        host.pass(.minutes(2))
        #expect(deliveries(host) == [.at(-300, 0, 1)])
    }

    @Test func `what the desktop does not show is told to those whom the manifest names, at once`() throws {
        var host = TestHost(Self.manifest { $0.notify = [NoticeSink(.mail("ops@example.org"))] })
        _ = add(&host, notification())
        let first = try #require(told(host).first)
        host.handle(.delivered(first.notice.id, trouble: "there is no desktop session"))
        #expect(told(host).map(\.target) == [.desktop, .mail("ops@example.org")])
        #expect(told(host).last?.notice.said == first.notice.said)
        #expect(host.records.compactMap(\.notice).contains { $0.state == .handedOn })
        // A missing desktop session needs no action.
        #expect(host.state.ledger.notices.health.isEmpty)
    }

    @Test func `where nobody else is named the desktop is tried again`() throws {
        var host = TestHost(Self.manifest { $0.notify = [NoticeSink(.journal, on: [.failed])] })
        _ = add(&host, notification())
        let first = try #require(told(host).first)
        host.handle(.delivered(first.notice.id, trouble: "there is no desktop session"))
        host.pass(.minutes(2))
        #expect(told(host).map(\.target) == [.desktop, .desktop])
    }

    @Test func `refusals name what to do`() {
        var host = TestHost(Self.manifest { $0.notifications = false })
        #expect(
            refusal(add(&host, notification()))
                == Refusal(
                    .notPermitted,
                    "com.example.Feed may not notify anybody. Give the app `notifications: true` in jobs.yaml."
                ))
        #expect(host.records.last?.event == .refused)
        host = TestHost(Self.manifest())
        let rows: [(AppNotification, String)] = [
            (notification("a", .interval(milliseconds: 0, repeats: false)), "no interval to wait"),
            (notification("a", .interval(milliseconds: 59_999, repeats: true)), "repeats in less than 60 s"),
            (notification("a", .calendar(CalendarFields(year: 2001), repeats: false)), "never comes"),
            (notification(title: ""), "is empty"), (notification(""), "identifier of 0 bytes"),
            (notification(String(repeating: "a", count: 256)), "identifier of 256 bytes"),
            (notification(title: String(repeating: "a", count: 4096)), "the limit is 4096"),
        ]
        for (refused, words) in rows {
            let sentence = refusal(add(&host, refused))?.sentence ?? ""
            #expect(sentence.contains(words), "\(sentence)")
        }
        #expect(host.state.ledger.notifications.isEmpty)
    }

    @Test func `64 wait at most, as Apple has it`() {
        var host = TestHost(Self.manifest())
        for number in 0..<64 {
            #expect(
                add(&host, notification("\(number)", .interval(milliseconds: 60_000, repeats: false)))
                    == .done(""))
        }
        let more = notification("more", .interval(milliseconds: 60_000, repeats: false))
        #expect(refusal(add(&host, more))?.code == .tooManyPending)
        // A notification that replaces another does not raise the count.
        #expect(
            add(&host, notification("5", .interval(milliseconds: 70_000, repeats: false))) == .done(""))
    }

    @Test func `one that its plugin stopped waiting for has no effect, and what it replaced waits as before`()
    {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification("a", .interval(milliseconds: 120_000, repeats: false), title: "Old"))
        host.advance(.minutes(1))
        host.handle(
            .notificationAdded(
                Sample.feed, notification("a", .interval(milliseconds: 5_000, repeats: false)),
                reply: Token(900)))
        host.handle(.withdrawn(reply: Token(900)))
        host.pass(.minutes(5))
        #expect(deliveries(host) == [.at(0, 0, 2)])
        #expect(told(host).map(\.notice.said?.title) == ["Old"])
    }

    @Test func `an app that may notify no more has what waits removed, with the reason`() {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification("a", .interval(milliseconds: 60_000, repeats: false)))
        host.load(Self.manifest { $0.notifications = false })
        #expect(acts(host).last?.1 == .removed(identifier: "a"))
        #expect(
            host.records.last { $0.notification != nil }?.reason
                == "jobs.yaml has no `notifications: true` for com.example.Feed any more")
        host.pass(.minutes(5))
        #expect(deliveries(host).isEmpty)
    }

    @Test func `of a badge alone nobody is told`() {
        var host = TestHost(Self.manifest())
        _ = add(&host, notification(title: "", badge: 4))
        #expect(host.state.ledger.notifications.apps[Sample.feed]?.badge == 4)
        #expect(told(host).isEmpty)
        #expect(host.tell { .badgeSet(Sample.feed, 0, reply: $0) } == .done(""))
        #expect(host.state.ledger.notifications.isEmpty)
        #expect(refusal(host.tell { .badgeSet(Sample.feed, -1, reply: $0) }) != nil)
    }

    @Test func `what was delivered is known until it is removed`() {
        var host = TestHost(Self.manifest())
        for name in ["a", "b"] { _ = add(&host, notification(name)) }
        _ = host.tell { .notificationsRemoved(Sample.feed, ["a", "x"], delivered: true, reply: $0) }
        #expect(
            host.state.notifications(of: Sample.feed, delivered: true, at: host.now).map(\.0.identifier)
                == ["b"])
        _ = host.tell { .notificationsRemoved(Sample.feed, nil, delivered: true, reply: $0) }
        #expect(host.state.ledger.notifications.isEmpty)
    }

    @Test func `more than 10 of an app in an hour are told in one`() {
        var host = TestHost(Self.manifest())
        for number in 0..<12 {
            _ = add(&host, notification("\(number)"))
            for delivery in told(host) { host.handle(.delivered(delivery.notice.id, trouble: nil)) }
        }
        host.pass(.hours(2))
        let reasons = told(host).map(\.notice).filter { $0.covers != nil }.map(\.reason)
        #expect(reasons == ["2 more notifications of com.example.Feed"])
    }
}
