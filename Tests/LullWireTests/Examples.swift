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
            run: .max, kind: .processing, identifier: "org.example.feed.clean", deadline: 0,
            label: WireLabel()),
        .launch(
            run: 1, kind: .refresh, identifier: "org.example.feed.refresh", deadline: .max,
            label: WireLabel(title: "a", subtitle: "b", protection: "c")),
        .expireActivities, .powerMode(isLow: true), .powerMode(isLow: false),
        .expire(run: 7, reason: "its time is up – soon"), .terminate,
        .submitReply(sequence: 9, status: 2, sentence: "There are 10 already."),
        .submitReply(sequence: 0, status: 0, sentence: ""), .cancelReply(sequence: 1),
        .pendingReply(sequence: 4, requests: requests, isLast: true),
        .pendingReply(sequence: 4, requests: [], isLast: false),
    ]

    static let worker: [WorkerFrame] = [
        .registered(identifier: "org.example.feed.refresh"),
        .hello(.init(abiMajor: 1, abiMinor: 65535, sdk: "swift 0.1.0", buildID: "00ff")),
        .failed(phase: .load, sentence: "There is no file."), .failed(phase: .wire, sentence: ""),
        .submit(sequence: 3, request: requests[1]), .withdraw(sequence: 3),
        .cancel(sequence: 5, identifier: nil), .cancel(sequence: 5, identifier: "org.example.feed.refresh"),
        .cancel(sequence: 5, identifier: ""), .pending(sequence: .max), .launchReturned(run: 12),
        .completed(run: 12, success: true), .completed(run: 13, success: false),
        .log(run: 0, level: .trace, message: "a\nb\0c"), .log(run: 1, level: .critical, message: "💡"),
        .progress(run: 1, completed: -1, total: .max, message: "half"),
        .violation(run: 0, identifier: "", sentence: "It lied.", isFatal: false),
        .violation(run: 7, identifier: "org.example.feed.refresh", sentence: "Twice.", isFatal: true),
        .titles(run: 7, title: "Export", subtitle: "3 of 9"), .activityBegan(activity: 1, name: "save"),
        .activityEnded(activity: .max), .printed(run: 3, stream: .output, part: [0, 0xFF, 10]),
        .printed(run: .max, stream: .error, part: []),
    ]
}

/// Bytes from a seed: the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
