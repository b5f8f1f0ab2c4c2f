import LullModel

/// The beginnings of the latest sessions, from which the hazard of the next use is computed.
///
/// Uses less than half an hour apart are one session. The latest 512 beginnings are kept, each with the offset of local time
/// that was in force: 5 bytes each, 2.5 KiB for an app at most. All inputs of the network are functions of these, so
/// a forecast that is read back, or learned again from the history, is the same to the last bit.
package struct Sessions: Sendable, Equatable {
    package static let capacity = 512
    /// Uses nearer to each other than this are one session.
    static let gap: Int64 = 1800

    /// Beginnings in seconds since 1970, ascending.
    private(set) var starts: [UInt32] = []
    /// Local time at each, in quarter-hours east of UTC.
    private(set) var offsets: [Int8] = []
    /// The latest use of the latest session.
    private(set) var lastSeen: UInt32 = 0

    package init() {}

    var isEmpty: Bool { starts.isEmpty }
    var count: Int { starts.count }
    var lastStart: Int64? { starts.last.map(Int64.init) }

    func isNew(second: Int64) -> Bool { starts.isEmpty || second - Int64(lastSeen) >= Self.gap }

    /// Adds a use; one before 1970 or after 2106 is ignored.
    package mutating func insert(second: Int64, offset: Int) {
        guard let time = UInt32(exactly: second) else { return }
        let quarters = Int8(clamping: Int((Double(offset) / 900).rounded()))
        guard let last = starts.last, time < lastSeen || time < last else {
            if starts.isEmpty || Int64(time) - Int64(lastSeen) >= Self.gap {
                starts.append(time)
                offsets.append(quarters)
                if starts.count > Self.capacity {
                    starts.removeFirst()
                    offsets.removeFirst()
                }
            }
            lastSeen = time
            return
        }
        insert(earlier: time, quarters)
    }

    /// Moves all uses after `time` back by `seconds`, and at least to `time`.
    mutating func moveBack(by seconds: Int64, to time: Int64) {
        guard Int64(lastSeen) > time, let limit = UInt32(exactly: time) else { return }
        func put(_ second: UInt32) -> UInt32 { UInt32(clamping: min(time, Int64(second) - seconds)) }
        let place = starts.firstIndex { $0 > limit } ?? starts.endIndex
        let moved = Array(zip(starts[place...], offsets[place...]))
        let seen = put(lastSeen)
        starts.removeSubrange(place...)
        offsets.removeSubrange(place...)
        lastSeen = starts.last ?? 0
        for (start, offset) in moved { insert(second: Int64(put(start)), offset: Int(offset) * 900) }
        lastSeen = max(seen, starts.last ?? 0)
    }

    /// Adds a use that is reported late: it begins a session of its own, or moves the beginning of a session back.
    private mutating func insert(earlier time: UInt32, _ quarters: Int8) {
        let place = starts.partition(below: time)
        if place > 0, Int64(time) - Int64(starts[place - 1]) < Self.gap { return }
        if place < starts.count, Int64(starts[place]) - Int64(time) < Self.gap {
            starts[place] = time
            offsets[place] = quarters
            return
        }
        guard starts.count < Self.capacity else {
            guard place > 0 else { return }
            starts.remove(at: 0)
            offsets.remove(at: 0)
            starts.insert(time, at: place - 1)
            offsets.insert(quarters, at: place - 1)
            return
        }
        starts.insert(time, at: place)
        offsets.insert(quarters, at: place)
    }
}

extension [UInt32] {
    /// The number of these ascending numbers that are smaller than `value`.
    func partition(below value: UInt32) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Sessions: Codable {
    /// One number for each session, with its beginning and its offset; the last number is the latest use.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            zip(starts, offsets).map { Int64($0) << 8 | Int64(UInt8(bitPattern: $1)) } + [Int64(lastSeen)])
    }

    package init(from decoder: any Decoder) throws {
        let numbers = try decoder.singleValueContainer().decode([Int64].self)
        func check(_ holds: Bool, _ sentence: String) throws {
            guard holds else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: sentence))
            }
        }
        try check(
            (1...Self.capacity + 1).contains(numbers.count),
            "a forecast keeps at most \(Self.capacity) sessions, not \(numbers.count)")
        for number in numbers.dropLast() {
            let start = UInt32(exactly: number >> 8)
            try check(start != nil, "\(number) is no beginning of a session")
            guard let start else { continue }
            try check(starts.last.map { $0 < start } ?? true, "the sessions of a forecast ascend")
            starts.append(start)
            offsets.append(Int8(bitPattern: UInt8(truncatingIfNeeded: number)))
        }
        let last = numbers.last.flatMap(UInt32.init(exactly:))
        try check(last != nil && last.map { $0 >= starts.last ?? 0 } ?? false, "the latest use is none")
        lastSeen = last ?? 0
    }
}
