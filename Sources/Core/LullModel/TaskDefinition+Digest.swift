extension TaskDefinition {
    /// What decides how a run of the task goes, as a hash in hexadecimal: an edit that could mend a failure changes it.
    ///
    /// When the task runs, whom it tells and where it stands are left out: a run that failed is not mended by those.
    public func digest(in app: App) -> String { digest(in: app.digest) }

    /// The same for whoever asks for many tasks of an app.
    public func digest(in app: App.Digest) -> String {
        let limit = timeLimit.map { "\($0)" } ?? ""
        let hash = app.adding(
            "\n\(kind.rawValue) \(settings.text) \(limit) \(warning) \(grace) \(nice) \(leaves)")
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
        Digest().adding("\(plugin)\n\(sha256 ?? "")\n\(user ?? "")\n\(settings.text)\n\(limits)")
    }
}
