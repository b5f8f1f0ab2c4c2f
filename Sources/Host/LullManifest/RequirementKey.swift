import LullModel

/// A key of `requires`: how it is read, and how a diff writes it; nil if it is not required.
struct RequirementKey: Sendable {
    let key: Key
    let read: @Sendable (inout ManifestDecoder, ManifestDecoder.Entry, inout Requirements) -> Void
    let say: @Sendable (Requirements) -> String?

    static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    /// In the order of the manual.
    static let all: [RequirementKey] = [
        RequirementKey(key: .network) { decoder, entry, requires in
            requires.network = decoder.choice(entry) ?? requires.network
        } say: {
            $0.network?.rawValue
        },
        RequirementKey(key: .externalPower) { decoder, entry, requires in
            requires.externalPower = decoder.boolean(entry) ?? requires.externalPower
        } say: {
            $0.externalPower ? "true" : nil
        },
        RequirementKey(key: .batteryAbove) { decoder, entry, requires in
            requires.batteryAbove = decoder.share(entry) ?? requires.batteryAbove
        } say: {
            $0.batteryAbove.map(ManifestDiff.share)
        },
        RequirementKey(key: .idle) { decoder, entry, requires in
            requires.idle = decoder.boolean(entry) ?? requires.idle
        } say: {
            $0.idle.map { String($0) }
        },
        RequirementKey(key: .loadBelow) { decoder, entry, requires in
            requires.loadBelow = decoder.number(entry, over: 0, upTo: 100) ?? requires.loadBelow
        } say: {
            $0.loadBelow.map(QuantityText.plain)
        },
        RequirementKey(key: .diskFree) { decoder, entry, requires in
            requires.diskFree = decoder.size(entry, in: 1...1 << 60) ?? requires.diskFree
        } say: {
            $0.diskFree.map(ManifestDiff.size)
        },
    ]
}
