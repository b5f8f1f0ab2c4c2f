/// Who is connected, what each does, and who has to go when there is no place for another.
///
/// A request that has not come whole costs its sender nothing, and an answer that nobody reads costs memory: who has kept
/// the page waiting longest makes room for who comes new. Nobody is sent away while the page owes him an answer.
struct GuestBook {
    enum Doing: Equatable {
        /// Has not sent a whole request yet, or none after the last answer.
        case asking
        /// Is to be answered.
        case waiting
        /// Has an answer of so many bytes to read.
        case reading(Int)
        /// Is told of changes.
        case listening
        /// Was sent away, and is about to be gone.
        case leaving
    }

    let places: Int
    let unread: Int
    private(set) var guests: [UInt64: (doing: Doing, since: UInt64)] = [:]
    private var steps: UInt64 = 0

    init(places: Int, unread: Int) {
        self.places = places
        self.unread = unread
    }

    var isFull: Bool { guests.count >= places }
    var isAnyLeaving: Bool { guests.values.contains { $0.doing == .leaving } }

    /// The guest's number; nil when there is no place.
    mutating func enter() -> UInt64? {
        guard !isFull else { return nil }
        steps += 1
        guests[steps] = (.asking, steps)
        return steps
    }

    mutating func leave(_ number: UInt64) { guests[number] = nil }

    /// False for one who was sent away meanwhile. Who begins with something else waits anew from here on.
    mutating func note(_ number: UInt64, _ doing: Doing) -> Bool {
        guard let guest = guests[number], guest.doing != .leaving else { return false }
        steps += 1
        guests[number] = (doing, steps)
        return true
    }

    /// Who goes first to make a place: of those who ask or read the one who began first.
    mutating func sendAwayForPlace() -> UInt64? {
        let keeping = guests.filter { $0.value.doing == .asking || $0.value.doing.isReading }
        guard let number = keeping.min(by: { $0.value.since < $1.value.since })?.key else { return nil }
        guests[number]?.doing = .leaving
        return number
    }

    /// Who goes because too much waits to be read, those first who have read for longest; never the one who began last.
    mutating func sendAwayForMemory() -> [UInt64] {
        let readers = guests.filter { $0.value.doing.isReading }.sorted { $0.value.since < $1.value.since }
        var sum = readers.reduce(0) { $0 + $1.value.doing.bytes }
        var away: [UInt64] = []
        for (number, guest) in readers.dropLast() where sum > unread {
            sum -= guest.doing.bytes
            guests[number]?.doing = .leaving
            away.append(number)
        }
        return away
    }
}

extension GuestBook.Doing {
    fileprivate var bytes: Int { if case .reading(let bytes) = self { bytes } else { 0 } }
    fileprivate var isReading: Bool { if case .reading = self { true } else { false } }
}
