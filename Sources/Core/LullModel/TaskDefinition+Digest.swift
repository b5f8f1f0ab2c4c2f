extension TaskDefinition {
    /// A hash, in hexadecimal, of all that decides how a run of the task goes: an edit that could fix a failure changes it.
    ///
    /// It leaves out when the task runs, its notices and its place in the file: such edits can't fix a failed run.
    public func digest(in app: App) -> String { digest(in: app.digest) }

    /// The same, for callers that need the digests of many tasks of an app.
    public func digest(in app: App.Digest) -> String {
        let limit = timeLimit.map { "\($0)" } ?? ""
        let values = params(given: nil).map { " " + JSONValue(texts: $0).text } ?? ""
        let own = (ionice == .normal ? "" : " \(ionice)") + (limits.map { " \($0)" } ?? "")
        let hash = app.adding(
            "\n\(kind.rawValue) \(settings.text) \(limit) \(warning) \(grace) \(nice) \(leaves)\(values)\(own)"
        )
        return String(hash.bits, radix: 16)
    }
}

extension App {
    /// An app's part of the digests of its tasks.
    public struct Digest: Sendable {
        // FNV-1a: the standard library's own hashes differ from one process to the next.
        var bits: UInt64 = 0xcbf2_9ce4_8422_2325

        func adding(_ text: String) -> Digest {
            Digest(bits: text.utf8.reduce(bits) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
        }
    }

    public var digest: Digest {
        // The same plugin in another folder is no other: its own build says whether it changed.
        let file = plugin.split(separator: "/").last ?? ""
        return Digest().adding("\(file)\n\(sha256 ?? "")\n\(user ?? "")\n\(settings.text)\n\(limits)")
    }
}
