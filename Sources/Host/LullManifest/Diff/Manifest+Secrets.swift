public import LullModel

extension Manifest {
    /// The manifest without possible secrets: marks stand in place of settings, addresses and arguments.
    ///
    /// Two manifests that differ in a secret differ in its mark too. The keys of settings are kept.
    public var withoutSecrets: Manifest {
        var manifest = self
        manifest.heartbeat = manifest.heartbeat.map(Self.marked)
        for app in manifest.apps.indices {
            manifest.apps[app].settings = Self.marked(manifest.apps[app].settings)
            manifest.apps[app].notify = manifest.apps[app].notify.map(Self.marked)
            for task in manifest.apps[app].tasks.indices {
                var definition = manifest.apps[app].tasks[task]
                definition.settings = Self.marked(definition.settings)
                definition.notify = definition.notify.map(Self.marked)
                definition.heartbeat = definition.heartbeat.map(Self.marked)
                manifest.apps[app].tasks[task] = definition
            }
        }
        return manifest
    }

    private static func marked(_ settings: JSONValue) -> JSONValue {
        guard case .object(let members) = settings else { return settings }
        return .object(members.mapValues { .string(SecretURL.mark(of: $0.text)) })
    }

    private static func marked(_ sink: NoticeSink) -> NoticeSink {
        switch sink.target {
        case .mail, .journal, .desktop: sink
        case .command(let words):
            NoticeSink(
                .command(words.prefix(1) + [SecretURL.mark(of: words.joined(separator: "\n"))]), on: sink.on)
        case .webhook(let url): NoticeSink(.webhook(marked(url)), on: sink.on)
        }
    }

    private static func marked(_ heartbeat: Heartbeat) -> Heartbeat {
        var heartbeat = heartbeat
        heartbeat.url = marked(heartbeat.url)
        return heartbeat
    }

    private static func marked(_ url: String) -> String {
        "https://\(SecretURL.host(of: url))/\(SecretURL.mark(of: url))"
    }
}
