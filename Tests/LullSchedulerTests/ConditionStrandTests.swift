import LullModel
import Testing

@testable import LullScheduler

/// The learned hours of the week at which one condition opens and closes.
@Suite struct ConditionStrandTests {
    private static func strand(_ note: (inout ConditionStrand) -> Void) -> ConditionStrand {
        var strand = ConditionStrand(name: "external_power", at: .at(0, 0))
        note(&strand)
        return strand
    }

    @Test func `a change lies where the share of its span puts it`() {
        let strand = Self.strand {
            $0.note(share: 0, isOpen: false, from: .at(0, 17), to: .at(0, 18), zone: .utc)
            // Open for the last quarter of the hour.
            $0.note(share: 0.25, isOpen: true, from: .at(0, 18), to: .at(0, 19), zone: .utc)
        }
        #expect(strand.closed.ends[18] == 1)
        #expect(strand.closed.ends.reduce(0, +) == 1)
        // The hour in which it opened counts fully as time at risk.
        #expect(strand.closed.risk[18] == 1)
        #expect(strand.closed.risk[17] == 1)
        #expect(strand.open.risk[18] == 0.25)
        #expect(strand.isOpen)
        #expect(strand.hours == 2)
    }

    @Test func `what opened and closed again within a span did both`() {
        let strand = Self.strand {
            $0.note(share: 0, isOpen: false, from: .at(0, 9), to: .at(0, 10), zone: .utc)
            $0.note(share: 0.5, isOpen: false, from: .at(0, 10), to: .at(0, 11), zone: .utc)
        }
        #expect(strand.closed.ends[10] == 1)
        #expect(strand.open.ends[10] == 1)
        #expect(!strand.isOpen)
    }

    @Test func `a change at the end of a span counts to the hour that begins there`() {
        let strand = Self.strand {
            $0.note(share: 0, isOpen: true, from: .at(0, 12), to: .at(0, 18), zone: .utc)
        }
        #expect(strand.closed.ends[18] == 1)
        #expect(strand.closed.risk[18] == 1)
        #expect(strand.closed.risk[12...17].allSatisfy { $0 == 1 })
        #expect(strand.isOpen)
    }

    @Test func `hours are those of the local week`() {
        let berlin = Zone(name: "Europe/Berlin", initialOffset: 3600)
        let strand = Self.strand {
            $0.note(share: 1, isOpen: true, from: .at(0, 23), to: .at(1, 0), zone: berlin)
        }
        // Sunday 23:00 UTC is Monday 00:00 there; the sample's day 0 is a Monday.
        #expect(strand.open.risk[24] == 1)
    }

    @Test func `a look that lasts no time tells a state and teaches nothing`() {
        let strand = Self.strand {
            $0.note(share: 1, isOpen: true, from: .at(0, 9), to: .at(0, 9), zone: .utc)
        }
        #expect(strand.isOpen)
        #expect(strand.hours == 0)
        #expect(strand.open.risk.allSatisfy { $0 == 0 })
    }

    @Test func `what is four weeks old counts half`() {
        let strand = Self.strand {
            $0.note(share: 0, isOpen: false, from: .at(0, 9), to: .at(0, 10), zone: .utc)
            $0.note(share: 0, isOpen: false, from: .at(28, 10), to: .at(28, 11), zone: .utc)
        }
        #expect(abs(strand.closed.risk[9] - 0.5) < 0.001)
        #expect(strand.closed.risk[10] == 1)
    }

    @Test func `the past that is imported does not undo the present`() {
        let strand = Self.strand {
            $0.note(share: 1, isOpen: true, from: .at(9, 9), to: .at(9, 10), zone: .utc)
            $0.note(share: 0, isOpen: false, from: .at(2, 9), to: .at(2, 10), zone: .utc)
        }
        #expect(strand.isOpen)
        #expect(strand.last == .at(9, 10))
    }

    @Test func `what is imported of the past is told from one span to the next`() {
        let strand = Self.strand {
            $0.note(share: 1, isOpen: true, from: .at(9, 9), to: .at(9, 10), zone: .utc)
            $0.note(share: 0, isOpen: false, from: .at(2, 9), to: .at(2, 10), zone: .utc)
            $0.note(share: 0.5, isOpen: false, from: .at(2, 10), to: .at(2, 11), zone: .utc)
        }
        #expect(strand.closed.ends[2 * 24 + 10] > 0)
        #expect(strand.open.ends[2 * 24 + 10] > 0)
    }

    @Test func `an evening's habit is a hazard of the evening`() {
        let strand = Self.strand { strand in
            for day in 0..<28 {
                strand.note(share: 0, isOpen: true, from: .at(day, 8), to: .at(day, 19), zone: .utc)
                strand.note(share: 1, isOpen: false, from: .at(day, 19), to: .at(day + 1, 8), zone: .utc)
            }
        }
        let opens = strand.hazards(whileOpen: false)
        #expect((0..<7).allSatisfy { opens[$0 * 24 + 19] > 0.9 })
        #expect((0..<7).allSatisfy { opens[$0 * 24 + 12] < 0.01 })
        let closes = strand.hazards(whileOpen: true)
        #expect((0..<7).allSatisfy { closes[$0 * 24 + 8] > 0.9 })
    }

    @Test func `what never opened is hardly expected to`() {
        let strand = Self.strand { strand in
            strand.note(share: 0, isOpen: false, from: .at(0, 0), to: .at(14, 0), zone: .utc)
        }
        let none = strand.hazards(whileOpen: false).reduce(1) { $0 * (1 - $1) }
        #expect(1 - none < 0.05)
        #expect(strand.isEnough(at: .at(14, 0)))
    }

    @Test func `hazards are probabilities whatever was seen`() {
        let strand = Self.strand { strand in
            for minute in 0..<600 {
                let from = WallTime.at(0, 9) + .minutes(minute)
                strand.note(
                    share: Double(minute % 7) / 6, isOpen: minute % 2 == 0, from: from,
                    to: from + .minutes(1),
                    zone: .utc)
            }
        }
        for isOpen in [true, false] {
            #expect(strand.hazards(whileOpen: isOpen).allSatisfy { (0...0.99).contains($0) })
        }
    }
}
