import LullModel

extension InheritedKey {
    /// `except` gives the task what all four say.
    static let ofDays: [InheritedKey] = [
        InheritedKey(.except) { decoder, entry, values in
            values.except = decoder.dayList(entry) ?? DayList()
        } give: {
            $1.days = $0.openDays
        } say: {
            ManifestDiff.words(of: $0.days?.except, .except)
        },
        InheritedKey(.only) { decoder, entry, values in
            values.only = decoder.dayList(entry).flatMap { $0.texts.isEmpty ? nil : $0 }
        } say: {
            ManifestDiff.words(of: $0.days?.only, .only)
        },
        InheritedKey(.from) { decoder, entry, values in
            values.from = decoder.day(entry) ?? values.from
        } say: {
            [("from", $0.days?.from.map(Phrase.date(ofDay:)))]
        },
        InheritedKey(.until) { decoder, entry, values in
            values.until = decoder.day(entry) ?? values.until
        } say: {
            [("until", $0.days?.until.map(Phrase.date(ofDay:)))]
        },
    ]
}
