import LullWire

/// One frame of each type, and the corners of their fields.
enum Examples {
    static let requests = [
        WireRequest(kind: .refresh, identifier: "org.example.feed.refresh"),
        WireRequest(kind: .processing, identifier: "ö", earliestBegin: .min, requirements: .max),
        WireRequest(kind: .continued, identifier: "", earliestBegin: .max, requirements: 3),
        WireRequest(
            kind: .continued, identifier: "org.example.feed.export.7", resources: 1, isImmediate: true,
            label: WireLabel(title: "Export", subtitle: "", protection: "NSFileProtectionNone")),
    ]

    static let notifications: [WireNotification] = {
        var full = WireNotification(identifier: "export")
        full.title = "Title"
        full.subtitle = "ö"
        full.body = "a\nb"
        full.details = "{}"
        full.level = .critical
        full.badge = .max
        full.trigger = .calendar
        full.repeats = true
        full.interval = .min
        full.fields = [2026, nil, 31, 7, 0, nil, .min]
        full.time = .max
        return [WireNotification(identifier: ""), full]
    }()

    static let host: [HostFrame] = [
        .welcome(
            .init(
                app: "org.example.feed", plugin: "/usr/lib/feed.so", stateFolder: "/var/lib/lull/feed",
                nice: -20, isLowPower: true,
                settingsBytes: 70_000, permits: 3)),
        .welcome(
            .init(
                app: "org.example.feed", plugin: "/usr/lib/feed.so",
                identity: .init(device: .max, inode: 1, bytes: .max, modified: .min),
                sha256: String(repeating: "0f", count: 32), stateFolder: "", nice: 0, settingsBytes: 0,
                permits: 0)),
        .confine(.init()), .place(path: "/srv/feed", access: .write),
        .place(path: "/tmp", access: .writeBelow), .place(path: "/state", access: .hidden),
        .confine(
            .init(
                user: "feed", account: .max, descriptors: .max, data: .max, processes: 1, isConfined: false,
                limitsReading: true,
                limitsWriting: true, hasNetwork: false, places: .max)),
        .settings(part: Array("{\"a\":1}".utf8)), .settings(part: [0xC3]),
        .permit(identifier: "org.example.feed.refresh", kind: .refresh, settings: "{}"),
        .permit(identifier: "org.example.feed.export.*", kind: .continued, settings: "{}"),
        .launch(
            run: 9, kind: .push, identifier: "com.example.App.push", deadline: 1, label: WireLabel(),
            push: WirePush(payload: "{\"new\": 3}", merged: 2, isUrgent: true)),
        .launch(
            run: .max, kind: .processing, identifier: "org.example.feed.clean", deadline: 0,
            label: WireLabel()),
        .launch(
            run: 1, kind: .refresh, identifier: "org.example.feed.refresh", deadline: .max,
            label: WireLabel(title: "a", subtitle: "b", protection: "c")),
        .launch(
            run: 2, kind: .processing, identifier: "org.example.feed.scan", deadline: 1, label: WireLabel(),
            origin: #"{"count":1,"on":["boot"]}"#),
        .expireActivities, .printOn(run: 3), .powerMode(isLow: true), .powerMode(isLow: false),
        .expire(run: 7, reason: "its time is up – soon"), .terminate,
        .submitReply(sequence: 9, status: 2, sentence: "There are 10 already."),
        .submitReply(sequence: 0, status: 0, sentence: ""), .cancelReply(sequence: 1),
        .pendingReply(sequence: 4, requests: requests, isLast: true),
        .pendingReply(sequence: 4, requests: [], isLast: false),
        .notificationsReply(sequence: 5, notifications, isLast: true),
        .notificationsReply(sequence: 5, [], isLast: false),
        .transferReply(sequence: 6, status: 0, sentence: "", transfer: 17),
        .transferReply(sequence: .max, status: 3, sentence: "Not here.", transfer: 0),
        .transfersReply(sequence: 7, next: .max, states: [0xF5, 1, 8, 0], isLast: true),
        .transfersReply(sequence: 7, next: 0, states: [], isLast: false), .transferNews(session: "ö"),
    ]

    static let worker: [WorkerFrame] = [
        .registered(identifier: "org.example.feed.refresh"),
        .hello(.init(abiMajor: 1, abiMinor: 65535, sdk: "swift 0.1.0", buildID: "00ff")),
        .hello(.init(abiMajor: 1, abiMinor: 3, sdk: "c", buildID: "", runsAlone: true)),
        .failed(phase: .load, sentence: "There is no file."), .failed(phase: .wire, sentence: ""),
        .submit(sequence: 3, request: requests[1]), .withdraw(sequence: 3),
        .cancel(sequence: 5, identifier: nil), .cancel(sequence: 5, identifier: "org.example.feed.refresh"),
        .cancel(sequence: 5, identifier: ""), .pending(sequence: .max), .launchReturned(run: 12),
        .completed(run: 12, success: true), .completed(run: 13, success: false, childPeak: 64 << 20),
        .log(run: 0, level: .trace, message: "a\nb\0c"), .log(run: 1, level: .critical, message: "💡"),
        .progress(run: 1, completed: -1, total: .max, message: "half"),
        .violation(run: 0, identifier: "", sentence: "It lied.", isFatal: false),
        .violation(run: 7, identifier: "org.example.feed.refresh", sentence: "Twice.", isFatal: true),
        .titles(run: 7, title: "Export", subtitle: "3 of 9"), .reported(run: 7, text: "Somebody calls"),
        .exitCode(run: 7, code: 255),
        .activityBegan(activity: 1, name: "save"),
        .activityEnded(activity: .max), .printed(run: 3, stream: .output, part: [0, 0xFF, 10]),
        .printed(run: .max, stream: .error, part: []), .skippedOutput(run: 3, bytes: .max),
        .holdsOutput(run: 3), .notify(sequence: 8, notifications[0]),
        .notify(sequence: .max, notifications[1]), .notifications(sequence: 9, delivered: true),
        .removeNotifications(sequence: 9, delivered: false, identifiers: ["a", "ö"]),
        .removeNotifications(sequence: 9, delivered: true, identifiers: nil),
        .setBadge(sequence: 10, count: .min), .transfer(sequence: 11, order: [0xF5, 1]),
        .transfer(sequence: 0, order: []), .transfers(sequence: 12, session: "", after: 0),
        .transfers(sequence: 12, session: "mirror", after: .max),
        .transferAct(sequence: 13, transfer: 17, .cancelKeeping),
        .transferAct(sequence: 13, transfer: .max, .taken),
        .transferAnswer(sequence: 14, transfer: 17, answer: [1, 2, 3]),
    ]
}
