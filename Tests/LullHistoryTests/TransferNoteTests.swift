import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// Notes of transfers in the history: written notes are read back, and malformed ones are refused.
@Suite struct `A note of a transfer` {
    @Test(arguments: Sample.transferNotes)
    func `comes back as it was, and without what is as usual`(_ note: TransferNote) throws {
        #expect(JSONValue(text: note.json.text).flatMap(TransferNote.init(json:)) == note)
        for secret in ["secret", "Bearer", "key=1", "\"p\\\""] {
            #expect(!note.withoutSecrets.json.text.contains(secret))
        }
    }

    @Test func `is written as the manual shows it`() {
        let order = TransferOrder(
            session: "mirror", ordinal: 1, direction: .download, url: "https://example.com/a.iso")
        #expect(
            TransferNote.asked(TransferID(17), order).json.text
                == #"{"id":17,"order":{"direction":"download","ordinal":1,"session":"mirror","url":"https://example.com/a.iso"},"state":"asked"}"#
        )
        #expect(
            TransferNote.paused(TransferID(17), byOperator: true).json.text
                == #"{"by_operator":true,"id":17,"state":"paused"}"#)
    }

    /// Every member of a note in turn is missing or has another type.
    @Test(arguments: Sample.transferNotes)
    func `with something missing or wrong is refused or another, and never taken for the same`(
        _ note: TransferNote
    ) throws {
        func spoil(_ json: JSONValue, _ spoilt: (JSONValue) -> Void) {
            guard case .object(let members) = json else { return spoilt([true]) }
            for (key, value) in members {
                var others = members
                others[key] = nil
                spoilt(.object(others))
                spoil(value) {
                    others[key] = $0
                    spoilt(.object(others))
                }
            }
        }
        spoil(note.json) { #expect(TransferNote(json: $0) != note, "\($0.text)") }
    }

    @Test func `whose upload would be a file elsewhere is refused`() throws {
        var order = Sample.order
        for file in ["../up-1", "up-/etc", "17.part", "", "up-" + String(repeating: "a", count: 62)] {
            order.file = file
            #expect(TransferNote(json: TransferNote.asked(TransferID(1), order).json) == nil)
        }
    }

    /// Fifty transfer notes and two notification notes in the same millisecond.
    @Test(arguments: Twin.allCases)
    func `is told apart from others of its time by an import`(_ twin: Twin) throws {
        let app = try Sample.app()
        var events = (1...50).map { (number: UInt64) in
            var event = HistoryEvent(.transfer, at: Sample.start, app: app)
            event.transfer = .taken(TransferID(number))
            return event
        }
        for text in ["a", "b"] as [String] {
            var event = HistoryEvent(.notification, at: Sample.start, app: app)
            event.notification = .removed(identifier: text)
            events.append(event)
        }
        let folder = try TemporaryFolder()
        let history = try twin.make(in: folder)
        #expect(try !history.holdsNumbers())
        let first = try HistoryImport(events + events, from: "h", into: history)
        #expect(first.events == events && first.known == events.count)
        try history.append(HistoryBatch(events: events))
        #expect(try history.holdsNumbers())
        #expect(try history.unknown(among: events).isEmpty)
        var other = events[0]
        other.transfer = .taking(TransferID(1))
        #expect(try history.unknown(among: [other]) == [other])
        #expect(throws: HistoryError.foreignNumbers(path: "h")) {
            try HistoryImport([other], from: "h", into: history)
        }
    }
}
