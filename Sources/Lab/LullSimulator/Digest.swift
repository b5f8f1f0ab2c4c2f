import LullModel

/// A number that tells two traces apart (FNV-1a, 64 bits): equal seeds have equal digests on every machine, whatever the
/// sentences in them say.
struct Digest: Sendable, Equatable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ number: UInt64) {
        var rest = number
        for _ in 0..<8 {
            value = (value ^ (rest & 0xff)) &* 0x0000_0100_0000_01b3
            rest >>= 8
        }
    }

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }

    mutating func add(_ event: HistoryEvent) {
        add(event.event.rawValue)
        add(UInt64(bitPattern: event.time.milliseconds))
        add(event.app.text)
        if let task = event.task { add(task.text) }
        add(event.request?.number ?? 0)
        add(event.run?.number ?? 0)
        if let outcome = event.outcome { add(outcome.rawValue) }
        for gate in event.gates ?? [] { add(gate) }
        add(UInt64(bitPattern: event.milliseconds ?? 0))
        add(event.price?.bitPattern ?? 0)
    }
}
